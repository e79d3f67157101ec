// SPDX-License-Identifier: MIT
namespace ClrMdGraph;

/// What each object keeps alive, by number; number 0 is all that can be reached.
sealed class RetainedSizes
{
    public readonly ulong[] Bytes;
    public readonly uint[] Objects;

    public RetainedSizes(DominatorTree tree, ObjectIndex index)
    {
        Bytes = new ulong[tree.Reached + 1];
        Objects = new uint[tree.Reached + 1];
        for (int number = 1; number <= tree.Reached; number++)
        {
            Bytes[number] = index.BytesOf(tree.ObjectOf[number]);
            Objects[number] = 1;
        }
        for (int number = tree.Reached; number > 0; number--)
        {
            Bytes[tree.Dominator[number]] += Bytes[number];
            Objects[tree.Dominator[number]] += Objects[number];
        }
    }
}
