// SPDX-License-Identifier: MIT
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>One object, or a free block, as ClrMD measures it.</summary>
readonly record struct Found(ulong Address, ulong Size, ClrType Type)
{
    public ulong AlignedSize => (Size + 7) & ~7ul;
    public ulong End => Address + AlignedSize;
}

/// <summary>ClrMD's walk of one segment, taken up again where a full allocation context makes ClrMD stop.</summary>
sealed class Walk(ClrHeap heap, ClrSegment segment, IReadOnlyDictionary<ulong, ulong> contexts)
{
    const ulong MinimumObject = 24;

    /// <summary>The walk arrived at the last byte of the object range.</summary>
    public bool Complete { get; private set; }

    /// <summary>Where ClrMD ended early and the walk went on 24 bytes further.</summary>
    public List<ulong> Resumed { get; } = [];

    public IEnumerable<Found> Objects()
    {
        ulong position = segment.Start;
        foreach (var item in segment.EnumerateObjects())
        {
            if (!item.IsValid)
                break;
            var found = new Found(item.Address, item.Size, item.Type!);
            position = found.End;
            yield return found;
        }
        position = Skip(position);
        bool resumable = heap.CanWalkHeap;
        while (position < segment.End)
        {
            var item = heap.GetObject(position);
            if (item.IsValid)
            {
                var found = new Found(item.Address, item.Size, item.Type!);
                position = Skip(found.End);
                resumable = heap.CanWalkHeap;
                yield return found;
            }
            else if (resumable && IsZero(position))
            {
                // Nothing is left in the context, yet the minimum object behind its limit stays reserved.
                Resumed.Add(position);
                position = Skip(position + MinimumObject);
                resumable = false;
            }
            else
                break;
        }
        Complete = position == segment.End;
    }

    ulong Skip(ulong address)
    {
        while (contexts.TryGetValue(address, out ulong limit) && limit > address)
            address = limit + MinimumObject;
        return address;
    }

    bool IsZero(ulong address) =>
        heap.Runtime.DataTarget.DataReader.Read(address, out ulong methodTable) && methodTable == 0;
}
