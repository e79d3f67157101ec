// SPDX-License-Identifier: MIT
using System.Collections;
using Microsoft.Diagnostics.Runtime;

namespace ClrMdGraph;

/// All references between objects, dependent handles and loader allocators included: the targets of object i are
/// Targets[Rows[i]] to Targets[Rows[i + 1]], the end left out.
sealed class ReferenceGraph
{
    public readonly ObjectIndex Index;
    public readonly int[] Rows;
    public readonly Table<int> Targets = new();
    public readonly long Dangling; // references to what is no object, or a free one

    public ReferenceGraph(ClrHeap heap, ObjectIndex index)
    {
        Index = index;
        Rows = new int[index.Count + 1];
        BitArray isKey = DependentKeys(heap, index);
        bool[] hasReferences = [.. index.Types.Select(type => type.ContainsPointers || type.IsCollectible)];
        for (int id = 0; id < index.Count; id++)
        {
            Rows[id] = Targets.Count;
            int type = index.TypeOf.Items[id];
            if (!hasReferences[type] && !isKey[id])
                continue; // without an iterator for every string
            ClrObject item = heap.GetObject(index.AddressOf(id), index.Types[type]);
            AddLoaderAllocator(heap, index.Types[type]);
            foreach (ulong address in item.EnumerateReferenceAddresses(carefully: false, considerDependantHandles: isKey[id]))
            {
                int target = index.Find(address);
                if (target >= 0)
                    Targets.Add(target);
                else if (address != 0) // a dependent handle may have no secondary
                    Dangling++;
            }
        }
        Rows[index.Count] = Targets.Count;
    }

    // The one of a type that can be unloaded, which EnumerateReferenceAddresses leaves out.
    void AddLoaderAllocator(ClrHeap heap, ClrType type)
    {
        ulong handle = type.IsCollectible ? type.LoaderAllocatorHandle : 0;
        if (handle == 0)
            return;
        int target = Index.Find(heap.Runtime.DataTarget.DataReader.ReadPointer(handle));
        if (target >= 0)
            Targets.Add(target);
    }

    static BitArray DependentKeys(ClrHeap heap, ObjectIndex index)
    {
        var isKey = new BitArray(index.Count);
        foreach (ClrHandle handle in heap.Runtime.EnumerateHandles())
        {
            if (handle.HandleKind == ClrHandleKind.Dependent && index.Find(handle.Object.Address) is >= 0 and int id)
                isKey[id] = true;
        }
        return isKey;
    }
}
