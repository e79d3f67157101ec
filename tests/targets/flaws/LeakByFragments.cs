// SPDX-License-Identifier: MIT
using System.Runtime;
using System.Runtime.InteropServices;

namespace Flaws;

/// Free space between large and between pinned objects.
static class LeakByFragments
{
    const int Large = 100_000, Pinned = 3000, Count = 20;

    static readonly byte[][] large = new byte[Count][];
    static readonly byte[][] pinned = new byte[Count][];
    static readonly GCHandle[] pins = new GCHandle[Count];

    public static void Plant()
    {
        if (GCSettings.IsServerGC) return;  // which spreads them over its heaps
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect();
        Apart.Run(Allocate);
        for (int i = 0; i < Count; i += 2) large[i] = pinned[i] = null!;
        GC.Collect();
        // In front of each large object the GC keeps 32 bytes free, which become part of the gap.
        Planted.Say("fragmentation", "large object heap", Count / 2, Count / 2 * (Planted.Array(Large, 1) + 2 * 32));
        Planted.Say("fragmentation", "pinned object heap", Count / 2, Count / 2 * Planted.Array(Pinned, 1));
    }

    static void Allocate()
    {
        for (int i = 0; i < Count; i++)
        {
            large[i] = Apart.Bytes(Large, i);
            if (i % 2 == 1) pins[i] = GCHandle.Alloc(large[i], GCHandleType.Pinned);
            pinned[i] = GC.AllocateUninitializedArray<byte>(Pinned, pinned: true);
            Apart.Fill(pinned[i], i);
        }
    }
}
