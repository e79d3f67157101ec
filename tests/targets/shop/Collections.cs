// SPDX-License-Identifier: MIT
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Text;
using System.Threading.Channels;
using Catalog;

namespace Shop;

/// <summary>The library's collections, each with something in it.</summary>
static class Collections
{
    public static object[] All()
    {
        int[] numbers = Enumerable.Range(0, 50).ToArray();
        var channel = Channel.CreateUnbounded<int>();
        channel.Writer.TryWrite(1);
        return
        [
            new List<int>(numbers), new List<SequentialStruct>(new SequentialStruct[3]), numbers.ToDictionary(n => n, n => "n" + n), numbers.ToDictionary(n => "k" + n),
            new Dictionary<Guid, Money> { [Guid.Empty] = default }, numbers.ToHashSet(), new SortedSet<int>(numbers), new SortedDictionary<string, int> { ["a"] = 1 },
            new SortedList<int, string> { [1] = "one" }, new LinkedList<int>(numbers), new Queue<int>(numbers), new Stack<string>(["x", "y"]),
            new PriorityQueue<string, int>([("low", 3), ("high", 1)]), new BitArray(70), new ArrayList { 1, "two", 3.0 }, new Hashtable { ["a"] = 1 },
            new ConcurrentDictionary<string, int>([new("a", 1), new("b", 2)]), new ConcurrentQueue<int>(numbers), new ConcurrentBag<int>(numbers),
            new ConcurrentStack<int>(numbers), new BlockingCollection<int> { 1, 2 }, ImmutableArray.Create(1, 2, 3), ImmutableList.CreateRange(numbers),
            numbers.ToImmutableDictionary(n => n), ImmutableSortedSet.CreateRange(numbers), ImmutableStack.Create(1, 2), numbers.ToFrozenSet(),
            new[] { "red", "green", "blue" }.ToFrozenDictionary(s => s, s => s.Length), new ReadOnlyCollection<int>(numbers), new ObservableCollection<string> { "seen" },
            new NameValueCollection { ["k"] = "v" }, new OrderedDictionary { ["k"] = 1 }, numbers.ToLookup(n => n % 7), numbers.GroupBy(n => n % 3).ToArray(),
            new Memory<int>(numbers, 3, 4), new ArraySegment<int>(numbers, 1, 2), new StringBuilder("built").Append('!', 9000),
            channel, new Uri("https://shop.example/a?b=c"), new Version(1, 2, 3),
            new WeakReference(numbers), new WeakReference<int[]>(numbers), new Random(5), new MemoryStream(new byte[100]), new CancellationTokenSource(),
            new AsyncLocal<int> { Value = 4 }, new ThreadLocal<string>(() => "local"), new Lazy<int>(5), Encoding.UTF8, TimeZoneInfo.Utc,
        ];
    }
}
