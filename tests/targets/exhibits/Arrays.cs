// SPDX-License-Identifier: MIT
namespace Museum;

/// <summary>Arrays of every rank, with lower bounds, of every sort of element.</summary>
static class Arrays
{
    static readonly int[] vector = [2, 3, 5, 7], vectorEmpty = [], vectorBig = Enumerable.Range(0, 30_000).ToArray();
    static readonly int[,] matrix = { { 1, 2, 3 }, { 4, 5, 6 } };
    static readonly byte[,,] cube = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, { { 9, 10 }, { 11, 12 } } };
    static readonly string[,] matrixOfStrings = { { "a", "b" } };
    static readonly int[,] matrixEmpty = new int[0, 5];
    static readonly Array shifted = Array.CreateInstance(typeof(int), [3, 2], [10, -1]), shiftedVector = Array.CreateInstance(typeof(short), [4], [-2]);
    static readonly Place[] structs = [new(1, "x"), new(2, "y")];
    static readonly Size[,] matrixOfStructs = { { new(1, 2) }, { new(3, 4) } };
    static readonly string?[] strings = ["first", null, ""];
    static readonly object?[] objects = [1, "two", null, new Painting("three")];
    static readonly int[]?[] jagged = [[1], null, [2, 3]];
    static readonly int?[] nullables = [null, 4];
    static readonly DayOfWeek[] enums = [DayOfWeek.Monday, DayOfWeek.Sunday];
    static readonly bool[] booleans = [true, false];
    static readonly char[] letters = ['a', '\u4e16'];
    static readonly double[] reals = [0.5, double.NaN];
    static readonly decimal[] decimals = [1.10m, -2m];
    static readonly DateTime[] dates = [new(2001, 2, 3)];
    static readonly (int, string)[] tuples = [(1, "one")];

    static Arrays()
    {
        shifted.SetValue(77, 12, -1);
        shifted.SetValue(78, 10, 0);
        shiftedVector.SetValue((short)5, 1);
    }

    public static List<Account> Describe() => Exhibit.Of(typeof(Arrays)).Select(exhibit => OfArray(exhibit.Path, (Array)exhibit.Content!)).ToList();

    static Account OfArray(string path, Array array)
    {
        Type element = array.GetType().GetElementType()!;
        IEnumerable<int> dimensions = Enumerable.Range(0, array.Rank);
        return new Account().Add("path", path).Add("type", Names.Of(array.GetType())).Add("rank", array.Rank).Add("lengths", dimensions.Select(array.GetLength))
            .Add("lowerBounds", dimensions.Select(array.GetLowerBound)).Add("elementType", Names.Of(element)).Add("count", array.Length)
            .Add("elements", array.Cast<object?>().Take(20).Select(item => Description.Of(item, element)));
    }
}
