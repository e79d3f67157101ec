// SPDX-License-Identifier: MIT
using System.Collections;

namespace Flaws;

enum Colour { Red, Green, Blue, Black }
record struct Mark(int Number);
record struct Wide(long A, long B, long C);
record struct Lot(long Number);
record struct Unique(int Number);

static class WasteInBoxes
{
    // The string keeps it from being an array of colours.
    static readonly object[] colours = new object[2001];
    static readonly List<object> marks = new(1000);
    static readonly ArrayList wides = new(1000);
    static readonly object?[] lots = new object?[1000];
    static readonly object[] uniques = new object[1001];  // innocent

    public static void Plant()
    {
        colours[0] = "painted";
        for (int i = 1; i < colours.Length; i++) colours[i] = (Colour)(i % 4);
        Planted.Say("boxedValues", "Flaws.Colour", 2000, (2000 - 4) * Planted.Object(4), "static Flaws.WasteInBoxes.colours");

        for (int i = 0; i < 1000; i++) marks.Add(new Mark(i));
        Planted.Say("boxedValues", "Flaws.Mark", 1000, 1000 * Planted.Object(4), "static Flaws.WasteInBoxes.marks");

        // A value takes up 24 bytes of the list where there were 8 of a reference.
        for (int i = 0; i < 1000; i++) wides.Add(new Wide(i, i, i));
        Planted.Say("boxedValues", "Flaws.Wide", 1000, 1000 * (Planted.Object(24) - 16), "static Flaws.WasteInBoxes.wides");

        // Where there is none the typed array has to say so: sixteen bytes each.
        for (int i = 0; i < lots.Length; i++) lots[i] = i % 5 == 0 ? null : new Lot(i);
        Planted.Say("boxedValues", "Flaws.Lot", 800, 800 * Planted.Object(8) - 1000 * 8, "static Flaws.WasteInBoxes.lots");

        uniques[0] = "each once";
        for (int i = 1; i < uniques.Length; i++) uniques[i] = new Unique(i);
    }
}
