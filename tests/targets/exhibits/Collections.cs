// SPDX-License-Identifier: MIT
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;
using System.Text;

namespace Museum;

enum Wing : byte { North, East, South = 7 }
record struct Place(int Room, string Wall);
record struct Size(short Width, short Height);
sealed class Painting(string title) { readonly string title = title; public override string ToString() => title; }
sealed class Shelf : List<int>;

/// <summary>The library's collections: empty, full, with removals, wrapped around, with keys of every sort. One static field each.</summary>
static class Collections
{
    static readonly List<int> list = [3, 1, 4, 1, 5], listEmpty = [], listBig = Enumerable.Range(0, 20_000).ToList();
    static readonly List<Place> listOfStructs = [new(1, "left"), new(2, "right")];
    static readonly List<string?> listOfStrings = ["a", null, "c"];
    static readonly List<object?> listOfObjects = ["text", 12, null, new Painting("Night Watch")];
    static readonly List<int?> listOfNullables = [1, null, 3];
    static readonly Shelf listDerived = [7, 8];
    static readonly ArrayList arrayList = [1, "two", null], arrayListReadOnly = ArrayList.ReadOnly(arrayList), arrayListOfArray = ArrayList.Adapter(new object[] { "in", 2 });
    static readonly Dictionary<int, string> dictionary = new() { [1] = "one", [2] = "two", [3] = "three" };
    static readonly Dictionary<string, Painting> dictionaryOfObjects = new() { ["m"] = new("Mona Lisa"), ["s"] = new("Sunflowers") };
    static readonly Dictionary<Place, Size> dictionaryOfStructs = new() { [new(1, "a")] = new(10, 20), [new(2, "b")] = new(30, 40) };
    static readonly Dictionary<Wing, int> dictionaryByEnum = new() { [Wing.South] = 70, [Wing.North] = 0 };
    static readonly Dictionary<Painting, Wing> dictionaryByObject = new() { [new("Scream")] = Wing.East };
    static readonly Dictionary<Guid, DateTime> dictionaryOfKnown = new() { [new("00112233-4455-6677-8899-aabbccddeeff")] = new(2024, 2, 29) };
    static readonly Dictionary<string, int> dictionaryEmpty = [], dictionaryRoomy = new(1000);
    static readonly Dictionary<int, long> dictionaryBig = Enumerable.Range(0, 10_000).ToDictionary(n => n * 7, n => (long)n * n);
    static readonly Dictionary<int, int> dictionaryWithHoles = Enumerable.Range(0, 50).ToDictionary(n => n, n => -n), dictionaryEmptied = new() { [1] = 1, [2] = 2 };
    static readonly HashSet<string> hashSet = ["x", "y", "z"];
    static readonly HashSet<int> hashSetEmpty = [], hashSetWithHoles = Enumerable.Range(0, 30).ToHashSet();
    static readonly HashSet<Size> hashSetOfStructs = [new(1, 2), new(3, 4)];
    static readonly Hashtable hashtable = new() { ["a"] = 1, [2] = "b", [Wing.East] = null }, hashtableEmpty = [], hashtableSynchronized = Hashtable.Synchronized(hashtable);
    static readonly Queue<int> queue = new([1, 2, 3]), queueWrapped = new(8), queueFull = new([1, 2, 3, 4]), queueEmpty = new();
    static readonly Queue<Place> queueOfStructs = new([new(4, "d"), new(5, "e")]);
    static readonly Queue queueOfObjects = new(new object[] { 1, "b" }), queueSynchronized = Queue.Synchronized(queueOfObjects);
    static readonly Stack<string> stack = new(["bottom", "middle", "top"]), stackEmpty = new();
    static readonly Stack stackOfObjects = new(new object[] { "under", 2 }), stackSynchronized = Stack.Synchronized(stackOfObjects);
    static readonly LinkedList<string> linkedList = new(["first", "second", "third"]), linkedListEmpty = new();
    static readonly LinkedList<Size> linkedListOfStructs = new([new(5, 6), new(7, 8)]);
    static readonly SortedDictionary<string, int> sortedDictionary = new(StringComparer.Ordinal) { ["pear"] = 3, ["apple"] = 1, ["fig"] = 2 };
    static readonly SortedDictionary<int, Place> sortedDictionaryOfStructs = new() { [9] = new(9, "i"), [1] = new(1, "a") };
    static readonly SortedSet<int> sortedSet = new(Enumerable.Range(0, 500).Select(n => n * 37 % 500)), sortedSetEmpty = [];
    static readonly SortedList<int, string> sortedList = new() { [20] = "twenty", [10] = "ten" };
    static readonly SortedList sortedListOfObjects = new() { [5] = "five", [4] = null };
    static readonly PriorityQueue<string, int> priorityQueue = new([("low", 9), ("high", 1), ("middle", 5)]);
    static readonly ConcurrentDictionary<string, int> concurrentDictionary = new([new("a", 1), new("b", 2), new("c", 3)]), concurrentDictionaryEmpty = new();
    static readonly ConcurrentDictionary<Place, Size> concurrentDictionaryOfStructs = new([new(new(1, "a"), new(2, 3))]);
    static readonly ConcurrentDictionary<int, long> concurrentDictionaryBig = new(Enumerable.Range(0, 3000).Select(n => KeyValuePair.Create(n, n * 1_000_000_007L)));
    static readonly ConcurrentQueue<int> concurrentQueue = new([1, 2, 3]), concurrentQueueLong = new(), concurrentQueueEmpty = new(), concurrentQueueSeen = new(), concurrentQueueWrapped = new();
    static readonly ConcurrentQueue<Place> concurrentQueueOfStructs = new([new(1, "q")]);
    static readonly ConcurrentStack<string> concurrentStack = new(["under", "over"]), concurrentStackEmpty = new();
    static readonly ConcurrentBag<int> concurrentBag = [], concurrentBagEmpty = [];
    static readonly ConditionalWeakTable<Painting, string> weakTable = [];
    static readonly Painting[] weakKeys = [new("kept one"), new("kept two"), new("removed")];
    static readonly ImmutableArray<int> immutableArray = [1, 2, 3], immutableArrayEmpty = [], immutableArrayDefault = default;
    static readonly ImmutableList<string> immutableList = ["i", "j", "k"], immutableListEmpty = [];
    static readonly ImmutableList<int> immutableListBig = Enumerable.Range(0, 1000).ToImmutableList();
    static readonly ImmutableDictionary<string, int> immutableDictionary = ImmutableDictionary.CreateRange<string, int>([new("a", 1), new("b", 2)]);
    static readonly ImmutableDictionary<Collider, int> immutableDictionaryColliding = ImmutableDictionary.CreateRange<Collider, int>([new(new(1), 10), new(new(2), 20), new(new(3), 30)]);
    static readonly ImmutableHashSet<int> immutableHashSet = ImmutableHashSet.Create(5, 6, 7);
    static readonly ImmutableSortedSet<int> immutableSortedSet = [3, 1, 2];
    static readonly ImmutableSortedDictionary<int, string> immutableSortedDictionary = ImmutableSortedDictionary.CreateRange<int, string>([new(2, "two"), new(1, "one")]);
    static readonly ImmutableStack<int> immutableStack = ImmutableStack.Create(1, 2, 3), immutableStackEmpty = [];
    static readonly ReadOnlyDictionary<string, int> readOnlyDictionary = new(new Dictionary<string, int> { ["read"] = 1, ["only"] = 2 });
    static readonly ReadOnlyCollection<int> readOnlyOfList = list.AsReadOnly(), readOnlyOfArray = new([8, 9]);
    static readonly Collection<Place> collection = [new(6, "plain")];
    static readonly ObservableCollection<string> observable = ["seen", "watched"];
    static readonly Memory<int> memory = new([10, 11, 12, 13, 14], 1, 3);
    static readonly ReadOnlyMemory<char> memoryOfString = "museum".AsMemory(2, 3);
    static readonly ArraySegment<string> arraySegment = new(["a", "b", "c", "d"], 1, 2);
    static readonly StringBuilder stringBuilder = new("built"), stringBuilderEmpty = new(), stringBuilderOfChunks = new();

    /// <summary>A key with the same hash code as all others of its type.</summary>
    sealed record Collider(int Number) { public override int GetHashCode() => 1; }

    public static void Fill()
    {
        foreach (int hole in new[] { 3, 17, 18, 49, 0 }) dictionaryWithHoles.Remove(hole);
        dictionaryWithHoles.Add(1000, 1);  // takes the last hole
        dictionaryEmptied.Remove(1);
        dictionaryEmptied.Remove(2);
        hashSetWithHoles.RemoveWhere(number => number % 3 == 0);
        hashSetWithHoles.Add(99);
        hashtable.Remove(2);
        for (int i = 0; i < 13; i++)
        {
            queueWrapped.Enqueue(i);
            if (i >= 6) queueWrapped.Dequeue();
        }
        queueFull.Enqueue(queueFull.Dequeue());
        for (int i = 0; i < 200; i++) concurrentQueueLong.Enqueue(i);
        for (int i = 0; i < 40; i++) concurrentQueueLong.TryDequeue(out _);
        for (int i = 0; i < 50; i++)
        {
            concurrentQueueWrapped.Enqueue(i);
            if (i >= 5) concurrentQueueWrapped.TryDequeue(out _);
        }
        for (int i = 0; i < 70; i++) concurrentQueueSeen.Enqueue(i);
        foreach (int _ in concurrentQueueSeen) concurrentQueueSeen.TryDequeue(out int _);  // looked at, so that slots are no longer emptied
        for (int i = 70; i < 75; i++) concurrentQueueSeen.Enqueue(i);
        FillBag();
        FillWeakTable();
        for (int i = 0; i < 40; i++) stringBuilderOfChunks.Append("chunk number ").Append(i).Append("; ");
    }

    static void FillBag()
    {
        for (int i = 0; i < 5; i++) concurrentBag.Add(i);
        var other = new Thread(() => { for (int i = 100; i < 103; i++) concurrentBag.Add(i); });
        other.Start();
        other.Join();
        concurrentBag.TryTake(out _);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void FillWeakTable()
    {
        foreach (Painting key in weakKeys) weakTable.Add(key, "about " + key);
        weakTable.Remove(weakKeys[2]);
        AddForgotten();
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void AddForgotten() => weakTable.Add(new Painting("forgotten"), "about nothing");

    public static List<Account> Describe()
    {
        var accounts = new List<Account>();
        foreach (var (path, _, content) in Exhibit.Of(typeof(Collections)).Concat(Exhibit.Of(typeof(Promises))))
        {
            if (content is not (Array or TaskCompletionSource<string>)) accounts.Add(CollectionAccount.Of(path, content!));
        }
        return accounts;
    }
}
