// SPDX-License-Identifier: MIT
namespace Flaws;

/// A single object that holds most of the heap.
static class LeakByHoarding
{
    static readonly List<byte[]> pages = new(800);

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 800; i++) pages.Add(Apart.Bytes(8000, i));
        Planted.Say("suspect", "static Flaws.LeakByHoarding.pages", 1, Planted.Object(16) + Planted.Array(800, 8) + 800 * Planted.Array(8000, 1));
    });
}
