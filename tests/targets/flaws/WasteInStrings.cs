// SPDX-License-Identifier: MIT
namespace Flaws;

static class WasteInStrings
{
    const string literal = "Flaws: a literal and its copies";
    static readonly string[] cities = new string[1000];
    static readonly string[] copies = new string[500];
    static readonly string[] distinct = new string[1000];  // innocent

    public static void Plant()
    {
        // Joined as the program runs: no literal has this text.
        var city = string.Concat("Flaws: the same ", nameof(cities)).AsSpan();
        for (int i = 0; i < cities.Length; i++) cities[i] = new string(city);
        Planted.Say("duplicateStrings", cities[0], cities.Length, (cities.Length - 1) * Planted.String(city.Length), "static Flaws.WasteInStrings.cities");

        // The literal itself is one of those that are equal, and may stay.
        for (int i = 0; i < copies.Length; i++) copies[i] = new string(literal.AsSpan());
        Planted.Say("duplicateStrings", literal, copies.Length + 1, copies.Length * Planted.String(literal.Length), "static Flaws.WasteInStrings.copies");

        for (int i = 0; i < distinct.Length; i++) distinct[i] = $"Flaws: city number {i}";
    }
}
