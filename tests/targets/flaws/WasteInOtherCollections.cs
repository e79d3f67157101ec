// SPDX-License-Identifier: MIT
using System.Collections.Concurrent;
using System.Collections.ObjectModel;

namespace Flaws;

/// Collections that keep their items in segments, nodes or in each other.
static class WasteInOtherCollections
{
    static readonly object[][] empty = new object[4][];
    static readonly ConcurrentQueue<Parcel>[] queues = new ConcurrentQueue<Parcel>[10];
    static readonly ConcurrentBag<Parcel>[] bags = new ConcurrentBag<Parcel>[10];
    static readonly ConcurrentDictionary<long, Parcel>[] tables = new ConcurrentDictionary<long, Parcel>[10];
    static readonly MemoryStream[] streams = new MemoryStream[10];
    static readonly MemoryStream[] views = new MemoryStream[10];  // innocent: of arrays that are the program's
    static readonly LinkedList<Hermit>[] chains = new LinkedList<Hermit>[200];
    static readonly ObservableCollection<Hermit>[] observed = new ObservableCollection<Hermit>[200];
    static readonly List<Tenant> shared = new(4);
    static readonly ReadOnlyCollection<Tenant>[] shows = new ReadOnlyCollection<Tenant>[200];  // innocent: of one list

    public static void Plant()
    {
        PlantEmpty();
        PlantRoomy();
        PlantSingle();
    }

    static void PlantEmpty()
    {
        SayEmpty(0, "System.Collections.Concurrent.ConcurrentQueue<Flaws.Guest>", () => new ConcurrentQueue<Guest>());
        SayEmpty(1, "System.Collections.Concurrent.ConcurrentDictionary<System.Int64, Flaws.Guest>", () => new ConcurrentDictionary<long, Guest>());
        SayEmpty(2, "System.Collections.Generic.SortedDictionary<System.Int64, Flaws.Guest>", () => new SortedDictionary<long, Guest>());
        SayEmpty(3, "System.Collections.ObjectModel.ObservableCollection<Flaws.Guest>", () => new ObservableCollection<Guest>());
    }

    static void SayEmpty(int row, string type, Func<object> make)
    {
        empty[row] = new object[50];
        for (int i = 0; i < empty[row].Length; i++) empty[row][i] = make();
        Planted.Say("emptyCollections", type, empty[row].Length, empty[row].Length * Apart.Measure(make), "static Flaws.WasteInOtherCollections.empty");
    }

    static void PlantRoomy()
    {
        Parcel parcel = new();  // one for all: none is left behind
        for (int i = 0; i < 10; i++)
        {
            queues[i] = new();
            bags[i] = new();
            tables[i] = new(1, 1000);  // 1,103 is the prime, 47 that of forty items
            for (int j = 0; j < 2000; j++) queues[i].Enqueue(parcel);
            while (queues[i].Count > 20) queues[i].TryDequeue(out _);
            for (int j = 0; j < 1000; j++) bags[i].Add(parcel);
            while (bags[i].Count > 20) bags[i].TryTake(out _);
            for (int j = 0; j < 40; j++) tables[i][j] = parcel;
            streams[i] = new MemoryStream(10_000);
            streams[i].Write(Apart.Bytes(100, i));
            views[i] = new MemoryStream(Apart.Bytes(1000, i));
            views[i].SetLength(10);
        }
        // What is left is in the last segment, of 1,024 slots of sixteen bytes.
        Planted.Say("oversizedCollections", "System.Collections.Concurrent.ConcurrentQueue<Flaws.Parcel>", 10, 10 * (Planted.Array(1024, 16) - Planted.Array(32, 16)), "static Flaws.WasteInOtherCollections.queues");
        Planted.Say("oversizedCollections", "System.Collections.Concurrent.ConcurrentBag<Flaws.Parcel>", 10, 10 * (Planted.Array(1024, 8) - Planted.Array(32, 8)), "static Flaws.WasteInOtherCollections.bags");
        Planted.Say("oversizedCollections", "System.Collections.Concurrent.ConcurrentDictionary<System.Int64, Flaws.Parcel>", 10, 10 * (Planted.Array(1103, 8) - Planted.Array(47, 8)), "static Flaws.WasteInOtherCollections.tables");
        Planted.Say("oversizedCollections", "System.IO.MemoryStream", 10, 10 * (Planted.Array(10_000, 1) - Planted.Array(100, 1)), "static Flaws.WasteInOtherCollections.streams");
    }

    // Fields of the class library's own: LinkedList 24 bytes, its node 32; ObservableCollection 40, the List in it 16.
    static void PlantSingle()
    {
        for (int i = 0; i < 200; i++)
        {
            chains[i] = new LinkedList<Hermit>();
            chains[i].AddLast(new Hermit { Number = i });
            observed[i] = new ObservableCollection<Hermit> { new() { Number = i } };
            shows[i] = shared.AsReadOnly();
        }
        shared.Add(new Tenant { Number = 1 });
        shared.Add(new Tenant { Number = 2 });
        Planted.Say("oneElementCollections", "System.Collections.Generic.LinkedList<Flaws.Hermit>", 200, 200 * (Planted.Object(24) + Planted.Object(32)), "static Flaws.WasteInOtherCollections.chains");
        Planted.Say("oneElementCollections", "System.Collections.ObjectModel.ObservableCollection<Flaws.Hermit>", 200, 200 * (Planted.Object(40) + Planted.Object(16) + Planted.Array(4, 8)), "static Flaws.WasteInOtherCollections.observed");
    }
}
