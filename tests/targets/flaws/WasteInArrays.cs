// SPDX-License-Identifier: MIT
namespace Flaws;

sealed class Nothing;
sealed class Cell { public int Number; }
enum Level { None, Low, High }
enum Height { }
sealed class Pair { public int Number; }

static class WasteInArrays
{
    static readonly Nothing[][] empty = new Nothing[200][];
    static readonly Level[][] same = new Level[10][];
    static readonly Cell[][] sparse = new Cell[10][];
    static readonly double[,] plane = new double[100, 100];
    static readonly Height[][] heights = new Height[10][];  // innocent
    static readonly Pair[][] pairs = new Pair[10][];        // innocent: half full

    public static void Plant()
    {
        for (int i = 0; i < empty.Length; i++) empty[i] = new Nothing[0];
        Planted.Say("emptyArrays", "Flaws.Nothing[]", empty.Length, (empty.Length - 1) * Planted.Array(0, 8), "static Flaws.WasteInArrays.empty");

        for (int i = 0; i < same.Length; i++) Array.Fill(same[i] = new Level[500], Level.High);
        Planted.Say("uniformArrays", "Flaws.Level[]", same.Length, same.Length * (Planted.Array(500, 4) - Planted.Array(1, 4)), "static Flaws.WasteInArrays.same");

        for (int i = 0; i < sparse.Length; i++)
        {
            sparse[i] = new Cell[1000];
            for (int j = 0; j < 1000; j += 50) sparse[i][j] = new Cell { Number = j };
        }
        Planted.Say("sparseArrays", "Flaws.Cell[]", sparse.Length, sparse.Length * (Planted.Array(1000, 8) - Planted.Array(20, 8)), "static Flaws.WasteInArrays.sparse");

        // Two lengths and two lower bounds more than other arrays.
        for (int i = 0; i < 100; i += 10) plane[i, 99 - i] = i + 1;
        Planted.Say("sparseArrays", "System.Double[,]", 1, Planted.Array(100 * 100, 8) - Planted.Array(10, 8), "static Flaws.WasteInArrays.plane");

        for (int i = 0; i < heights.Length; i++)
        {
            heights[i] = new Height[500];
            for (int j = 0; j < 500; j++) heights[i][j] = (Height)(i + j);
            pairs[i] = new Pair[100];
            for (int j = 0; j < 100; j += 2) pairs[i][j] = new Pair { Number = j };
        }
    }
}
