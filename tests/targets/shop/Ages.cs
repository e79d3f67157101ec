// SPDX-License-Identifier: MIT
namespace Shop;

/// <summary>Objects of every generation, with free gaps between the old ones.</summary>
static class Ages
{
    static readonly List<object> old = [], middle = [], young = [];
    static readonly List<object> pins = [];

    public static void Settle()
    {
        Allocate(old, 3000);
        GC.Collect();
        GC.Collect();
        Thin(old);
        GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: false);  // sweeping leaves the gaps where they are
        Allocate(middle, 1500);
        GC.Collect(0);
        Thin(middle);
    }

    public static void Newborn() => Allocate(young, 500);

    static void Allocate(List<object> into, int count)
    {
        for (int i = 0; i < count; i++)
            into.Add(i % 10 == 0 ? new byte[i % 700] : $"{i} allocated");
    }

    static void Thin(List<object> items)
    {
        for (int i = 0; i < items.Count; i++)
            if (i / 40 % 3 != 0)
                items[i] = "gone";
    }
}
