// SPDX-License-Identifier: MIT
namespace ClrMdGraph;

sealed record Result(ReferenceGraph Graph, int[] Roots, DominatorTree Tree, RetainedSizes Retained, int PathLength)
{
    ulong AddressOf(int number) => number == 0 ? 0 : Graph.Index.AddressOf(Tree.ObjectOf[number]);

    public ulong Checksum()
    {
        ulong sum = 0;
        for (int number = 1; number <= Tree.Reached; number++)
            sum += RetainedRows.Hash(AddressOf(number), AddressOf(Tree.Dominator[number]), Retained.Bytes[number], Retained.Objects[number]);
        return sum;
    }

    /// A line for each object that can be reached: its address, its dominator's (0 for the roots), bytes and objects retained.
    public void WriteTable(string file)
    {
        using var writer = new StreamWriter(file);
        for (int number = 1; number <= Tree.Reached; number++)
        {
            writer.WriteLine($"0x{AddressOf(number):x}\t0x{AddressOf(Tree.Dominator[number]):x}\t{Retained.Bytes[number]}\t{Retained.Objects[number]}");
        }
    }
}
