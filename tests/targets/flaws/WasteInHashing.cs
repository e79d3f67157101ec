// SPDX-License-Identifier: MIT
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
    static readonly Dictionary<GoodKey, long> good = new();  // innocent

    public static void Plant()
    {
        for (int i = 0; i < 500; i++)
        {
            bad.Add(new BadKey(i), i);
            badSet.Add(new BadKey(i));
            good.Add(new GoodKey(i * 7919), i);
        }
        Planted.Say("poorHashing", "System.Collections.Generic.Dictionary<Flaws.BadKey, System.Int64>", 1, 0, "static Flaws.WasteInHashing.bad");
        Planted.Say("poorHashing", "System.Collections.Generic.HashSet<Flaws.BadKey>", 1, 0, "static Flaws.WasteInHashing.badSet");
    }
}
