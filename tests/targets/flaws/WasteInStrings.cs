// SPDX-License-Identifier: MIT
namespace Flaws;

static class WasteInStrings
{
    static readonly string[] cities = new string[1000];

    public static void Plant()
    {
        for (int i = 0; i < cities.Length; i++) cities[i] = new string("Flaws: the same city".AsSpan());
        Planted.Say("duplicateStrings", cities[0], cities.Length, (cities.Length - 1) * Planted.String(cities[0].Length), "static Flaws.WasteInStrings.cities");
    }
}
