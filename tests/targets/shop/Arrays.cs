// SPDX-License-Identifier: MIT
using Catalog;

namespace Shop;

/// <summary>Arrays of every shape and element.</summary>
static unsafe class Arrays
{
    public static object[] All() =>
    [
        new int[0], new byte[1], new char[3], new bool[5], new double[4], new decimal[2], new long[7], new object[3], new string[] { "a", "", null! },
        new int[3, 4], new int[2, 3, 4], new string[2, 2], new byte[0, 5], new SequentialStruct[2, 3], Array.CreateInstance(typeof(int), [3, 2], [10, -1]),
        Array.CreateInstance(typeof(short), [4], [1]), new int[2][] { [1, 2], [3] }, new int[2][,] { new int[1, 1], null! }, new string[1, 2][],
        new AutoStruct[] { new() { Text = "in a struct" }, new() }, new SequentialStruct[4], new (int, string)[] { (1, "one") }, new Pair<string, Order>[3],
        new int?[] { 1, null, 3 }, new DateTime?[2], new KeyValuePair<int, Product>?[2], new Nullables[1], new ThreeNames[2], new EightInts[2],
        new int*[2], new void**[1], new delegate*<int, void>[2], new delegate* unmanaged<byte*, long>[1],
        new DayOfWeek[] { DayOfWeek.Monday }, new SmallEnum[3], new ULongEnum[2], new Guid[2], new Int128[2], new Empty[5], new PackedStruct[3],
        new Type[] { typeof(int), typeof(Box<>), typeof(List<string>) }, new IComparable[] { 1, "two" }, new Action[] { static () => { } }, new Box<int>[2], new Union[2],
        new Order[2][][], Enumerable.Range(0, 500).Select(i => new Pair<int, string>[i % 3]).ToArray(),
    ];
}
