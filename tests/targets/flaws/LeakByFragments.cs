// SPDX-License-Identifier: MIT
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Flaws;

/// Free space between large and between pinned objects.
static class LeakByFragments
{
    const int Large = 100_000, Pinned = 3000, Count = 20, Gap = 4000, Gaps = 500;

    static readonly byte[][] large = new byte[Count][];
    static readonly byte[][] pinned = new byte[Count][];
    static readonly GCHandle[] pins = new GCHandle[Count];
    static readonly uint[][] small = new uint[Gaps + 1][];
    static readonly GCHandle[] smallPins = new GCHandle[Gaps + 1];

    public static void Plant()
    {
        if (GCSettings.IsServerGC) return;  // which spreads them over its heaps
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        AllocateSmall(1);  // so that nothing but its own is allocated then
        smallPins[0].Free();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        var (gaps, gapBytes) = AllocateSmall(small.Length);
        Apart.Run(Allocate);
        for (int i = 0; i < Count; i += 2) large[i] = pinned[i] = null!;
        GC.Collect();
        // In front of each large object the GC keeps 32 bytes free, which become part of the gap.
        Planted.Say("fragmentation", "large object heap", Count / 2, Count / 2 * (Planted.Array(Large, 1) + 2 * 32));
        Planted.Say("fragmentation", "gen2, pinned System.UInt32[]", gaps, gapBytes);
        Planted.Say("fragmentation", "pinned object heap", Count / 2, Count / 2 * Planted.Array(Pinned, 1));
    }

    /// Right after a collection, so that nothing else lives in their region, of 4 MB and with a header of 40 bytes. What
    /// is in front of each, rests of allocation contexts too, becomes one gap.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static (int Gaps, long Bytes) AllocateSmall(int count)
    {
        var (gaps, bytes, behind) = (0, 0L, 0L);
        for (int i = 0; i < count; i++)
        {
            small[i] = [(uint)i, 1, 2, 3];
            smallPins[i] = GCHandle.Alloc(small[i], GCHandleType.Pinned);
            long start = smallPins[i].AddrOfPinnedObject() - 16;
            if (i == 0) behind = (start & -(4 << 20)) + 40;
            if (start - behind >= 1024) (gaps, bytes) = (gaps + 1, bytes + start - behind);
            behind = start + Planted.Array(4, 4);
            GC.KeepAlive(Apart.Bytes(Gap, i));
        }
        return (gaps, bytes);
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
