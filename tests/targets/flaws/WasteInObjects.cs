// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
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

/// Around one field each, which could lie in the case itself.
sealed class CaseNumber(long number) { public long Number = number; }
sealed class Held<T>(T value) { public T Value = value; }
readonly record struct Period(long From, long To);
sealed class Validity(Period period) { public Period Period = period; }
sealed class Remark(long number) { public long Number = number; }

interface ITwin { long Number { get; } }
sealed class TwinShared(long number) { public long Number = number; }     // innocent: two cases have it
sealed class TwinLocked(long number) { public long Number = number; }     // innocent: it has been asked for its identity
sealed class TwinByInterface(long number) : ITwin { public long Number => number; }  // innocent: the field is an interface
class TwinBase(long number) { public long Number = number; }              // innocent: there is a class derived from it
sealed class TwinDerived(long number) : TwinBase(number) { public long More; }

sealed class Case
{
    public CaseNumber Number;
    public Held<int> Rank;
    public Validity Validity;
    public Remark? Remark;
    public TwinShared Shared;
    public TwinLocked Locked;
    public ITwin Twin;
    public TwinBase Base;
}

static class WasteInObjects
{
    static readonly Gappy[] gappy = new Gappy[900];
    static readonly Tidy[] tidy = new Tidy[900];  // innocent
    static readonly Dot[] dots = new Dot[2000];
    static readonly List<Spot> spots = new(1500);
    static readonly Linked[] linked = new Linked[2000];  // innocent: each is referred to twice

    static readonly Case[] cases = new Case[400];

    public static void Plant()
    {
        PlantGaps();
        PlantSmall();
        PlantWrappers();
    }

    static void PlantGaps()
    {
        for (int i = 0; i < gappy.Length; i++)
        {
            gappy[i] = new Gappy { B = i };
            tidy[i] = new Tidy { B = i };
        }
        Planted.Say("paddingWaste", "Flaws.Gappy", gappy.Length, gappy.Length * (Planted.Object(32) - Planted.Object(24)), "static Flaws.WasteInObjects.gappy");
    }

    static void PlantSmall()
    {
        for (int i = 0; i < dots.Length; i++) dots[i] = new Dot { X = i, Y = -i };
        Planted.Say("smallObjects", "Flaws.Dot", dots.Length, dots.Length * Planted.Object(8), "static Flaws.WasteInObjects.dots");

        // Sixteen bytes of the list each, where there were eight of a reference.
        for (int i = 0; i < 1500; i++) spots.Add(new Spot { X = i, Y = -i });
        Planted.Say("smallObjects", "Flaws.Spot", 1500, 1500 * (Planted.Object(16) - 8), "static Flaws.WasteInObjects.spots");

        for (int i = 0; i < linked.Length; i++) linked[i] = new Linked { Number = i };
        for (int i = 0; i < linked.Length; i++) linked[i].Next = linked[(i + 1) % linked.Length];
    }

    static void PlantWrappers()
    {
        TwinShared shared = new(0);
        for (int i = 0; i < cases.Length; i++)
        {
            if (i % 2 == 0) shared = new TwinShared(i);
            cases[i] = new Case
            {
                Number = new CaseNumber(i),
                Rank = new Held<int>(i),
                Validity = new Validity(new Period(i, i + 1)),
                Remark = i % 4 == 0 ? null : new Remark(i),
                Shared = shared,
                Locked = new TwinLocked(i),
                Twin = new TwinByInterface(i),
                Base = i % 2 == 0 ? new TwinBase(i) : new TwinDerived(i),
            };
            RuntimeHelpers.GetHashCode(cases[i].Locked);
        }
        Planted.Say("singleFieldWrappers", "Flaws.CaseNumber", cases.Length, cases.Length * Planted.Object(8), "Flaws.Case");
        Planted.Say("singleFieldWrappers", "Flaws.Held<System.Int32>", cases.Length, cases.Length * Planted.Object(4), "Flaws.Case");
        // Sixteen bytes of the case each, where there were eight of a reference.
        Planted.Say("singleFieldWrappers", "Flaws.Validity", cases.Length, cases.Length * (Planted.Object(16) - 8), "Flaws.Case");
        // A case without one has to say so: sixteen bytes of each case.
        Planted.Say("singleFieldWrappers", "Flaws.Remark", 300, 300 * Planted.Object(8) - cases.Length * 8, "Flaws.Case");
    }
}
