// SPDX-License-Identifier: MIT
using System.Runtime.InteropServices;

namespace Flaws;

/// Two gaps of seven bytes; in another order none but at the end.
[StructLayout(LayoutKind.Sequential)]
sealed class Gappy { public byte A; public long B; public byte C; public long D; }
[StructLayout(LayoutKind.Sequential)]
sealed class Tidy { public long B, D; public byte A, C; }

sealed class Dot { public int X, Y; }
sealed class Spot { public long X, Y; }
sealed class Linked { public Linked? Next; public int Number; }

static class WasteInObjects
{
    static readonly Gappy[] gappy = new Gappy[900];
    static readonly Tidy[] tidy = new Tidy[900];  // innocent
    static readonly Dot[] dots = new Dot[2000];
    static readonly List<Spot> spots = new(1500);
    static readonly Linked[] linked = new Linked[2000];  // innocent: each is referred to twice

    public static void Plant()
    {
        for (int i = 0; i < gappy.Length; i++)
        {
            gappy[i] = new Gappy { B = i };
            tidy[i] = new Tidy { B = i };
        }
        Planted.Say("paddingWaste", "Flaws.Gappy", gappy.Length, gappy.Length * (Planted.Object(32) - Planted.Object(24)), "static Flaws.WasteInObjects.gappy");

        for (int i = 0; i < dots.Length; i++) dots[i] = new Dot { X = i, Y = -i };
        Planted.Say("smallObjects", "Flaws.Dot", dots.Length, dots.Length * Planted.Object(8), "static Flaws.WasteInObjects.dots");

        // Sixteen bytes of the list each, where there were eight of a reference.
        for (int i = 0; i < 1500; i++) spots.Add(new Spot { X = i, Y = -i });
        Planted.Say("smallObjects", "Flaws.Spot", 1500, 1500 * (Planted.Object(16) - 8), "static Flaws.WasteInObjects.spots");

        for (int i = 0; i < linked.Length; i++) linked[i] = new Linked { Number = i };
        for (int i = 0; i < linked.Length; i++) linked[i].Next = linked[(i + 1) % linked.Length];
    }
}
