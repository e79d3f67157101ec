// SPDX-License-Identifier: MIT
using System.Text;

namespace Flaws;

sealed class Guest { public int Number; }
sealed class Parcel { public int Number; }
sealed class Hermit { public int Number; }
sealed class Monk { public int Number; }
sealed class Tenant { public int Number; }

static class WasteInCollections
{
    static readonly List<Guest>[] emptyLists = new List<Guest>[300];
    static readonly Dictionary<int, Guest>[] emptied = new Dictionary<int, Guest>[100];
    static readonly List<Parcel>[] roomyLists = new List<Parcel>[50];
    static readonly Dictionary<long, Parcel>[] roomyTables = new Dictionary<long, Parcel>[50];
    static readonly Stack<Parcel>[] roomyStacks = new Stack<Parcel>[50];
    static readonly StringBuilder[] roomyTexts = new StringBuilder[20];
    static readonly List<Hermit>[] single = new List<Hermit>[200];
    static readonly Monk[][] singleArrays = new Monk[300][];
    static readonly List<Tenant>[] fullLists = new List<Tenant>[50];                         // innocent
    static readonly Dictionary<long, Tenant>[] fullTables = new Dictionary<long, Tenant>[50];  // innocent

    public static void Plant()
    {
        PlantEmpty();
        PlantRoomy();
        PlantSingle();
        PlantFull();
    }

    // Fields of the class library's own: List 16 bytes, Dictionary 64; an entry of a table is 24 bytes, a bucket 4.
    static void PlantEmpty()
    {
        for (int i = 0; i < emptyLists.Length; i++) emptyLists[i] = new List<Guest>();
        Planted.Say("emptyCollections", "System.Collections.Generic.List<Flaws.Guest>", emptyLists.Length, emptyLists.Length * Planted.Object(16), "static Flaws.WasteInCollections.emptyLists");

        for (int i = 0; i < emptied.Length; i++)
        {
            emptied[i] = new Dictionary<int, Guest>(10);
            for (int j = 0; j < 10; j++) emptied[i].Add(j, new Guest { Number = j });
            emptied[i].Clear();
        }
        Planted.Say("emptyCollections", "System.Collections.Generic.Dictionary<System.Int32, Flaws.Guest>", emptied.Length,
            emptied.Length * (Planted.Object(64) + Planted.Array(11, 4) + Planted.Array(11, 24)), "static Flaws.WasteInCollections.emptied");
    }

    static void PlantRoomy()
    {
        for (int i = 0; i < 50; i++)
        {
            roomyLists[i] = new List<Parcel>(100);
            roomyTables[i] = new Dictionary<long, Parcel>(100);  // 107 is the prime
            roomyStacks[i] = new Stack<Parcel>(100);
            for (int j = 0; j < 10; j++)
            {
                roomyLists[i].Add(new Parcel { Number = j });
                roomyTables[i].Add(j, new Parcel { Number = j });
                roomyStacks[i].Push(new Parcel { Number = j });
            }
        }
        long saved = 50 * (Planted.Array(100, 8) - Planted.Array(10, 8));
        Planted.Say("oversizedCollections", "System.Collections.Generic.List<Flaws.Parcel>", 50, saved, "static Flaws.WasteInCollections.roomyLists");
        Planted.Say("oversizedCollections", "System.Collections.Generic.Stack<Flaws.Parcel>", 50, saved, "static Flaws.WasteInCollections.roomyStacks");
        Planted.Say("oversizedCollections", "System.Collections.Generic.Dictionary<System.Int64, Flaws.Parcel>", 50,
            50 * (Planted.Array(107, 4) - Planted.Array(11, 4) + Planted.Array(107, 24) - Planted.Array(11, 24)), "static Flaws.WasteInCollections.roomyTables");

        for (int i = 0; i < roomyTexts.Length; i++) roomyTexts[i] = new StringBuilder(1000).Append('x', 100 + i);
        long characters = Enumerable.Range(0, roomyTexts.Length).Sum(i => Planted.Array(1000, 2) - Planted.Array(100 + i, 2));
        Planted.Say("oversizedCollections", "System.Text.StringBuilder", roomyTexts.Length, characters, "static Flaws.WasteInCollections.roomyTexts");
    }

    static void PlantSingle()
    {
        for (int i = 0; i < single.Length; i++) single[i] = new List<Hermit> { new() { Number = i } };  // of four slots
        Planted.Say("oneElementCollections", "System.Collections.Generic.List<Flaws.Hermit>", single.Length, single.Length * (Planted.Object(16) + Planted.Array(4, 8)), "static Flaws.WasteInCollections.single");

        for (int i = 0; i < singleArrays.Length; i++) singleArrays[i] = [new Monk { Number = i }];
        Planted.Say("oneElementCollections", "Flaws.Monk[]", singleArrays.Length, singleArrays.Length * Planted.Array(1, 8), "static Flaws.WasteInCollections.singleArrays");
    }

    static void PlantFull()
    {
        for (int i = 0; i < 50; i++)
        {
            fullLists[i] = new List<Tenant>();
            fullTables[i] = new Dictionary<long, Tenant>(100);
            for (int j = 0; j < 100; j++)
            {
                if (j < 11) fullLists[i].Add(new Tenant { Number = j });
                fullTables[i].Add(j, new Tenant { Number = j });
            }
        }
    }
}
