// SPDX-License-Identifier: MIT
using System.Collections.Concurrent;

namespace Flaws;

readonly record struct BadKey(int Number)
{
    public override int GetHashCode() => Number % 4;
}

readonly record struct GoodKey(int Number);

static class WasteInHashing
{
    static readonly Dictionary<BadKey, long> bad = new();
    static readonly HashSet<BadKey> badSet = new();
    static readonly ConcurrentDictionary<BadKey, long> badShared = new(1, 800);
    static readonly Dictionary<GoodKey, long> good = new();  // innocent

    public static void Plant()
    {
        for (int i = 0; i < 500; i++)
        {
            bad.Add(new BadKey(i), i);
            badSet.Add(new BadKey(i));
            badShared[new BadKey(i)] = i;
            good.Add(new GoodKey(i * 7919), i);
        }
        Planted.Say("poorHashing", "System.Collections.Generic.Dictionary<Flaws.BadKey, System.Int64>", 1, 0, "static Flaws.WasteInHashing.bad");
        Planted.Say("poorHashing", "System.Collections.Generic.HashSet<Flaws.BadKey>", 1, 0, "static Flaws.WasteInHashing.badSet");
        Planted.Say("poorHashing", "System.Collections.Concurrent.ConcurrentDictionary<Flaws.BadKey, System.Int64>", 1, 0, "static Flaws.WasteInHashing.badShared");
    }
}
