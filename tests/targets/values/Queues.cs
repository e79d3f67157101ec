// SPDX-License-Identifier: MIT
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Threading.Channels;

namespace Museum;

/// <summary>What passes things on: channels, blocking collections, immutable queues; and groups.</summary>
static class Queues
{
    public static IEnumerable<Account> Describe()
    {
        foreach (Account account in DescribeChannels()) yield return account;
        var blocking = new BlockingCollection<int> { 1, 2, 3 };
        yield return Exhibit.Items("Museum.Queues.blocking", blocking, "BlockingCollection", blocking.Cast<object?>()).Add("state", "open");
        var bounded = new BlockingCollection<string>(new ConcurrentStack<string>(), 5) { "under", "over" };
        bounded.CompleteAdding();
        yield return Exhibit.Items("Museum.Queues.blockingCompleted", bounded, "BlockingCollection", bounded).Add("state", "adding completed").Add("capacity", 5);

        ImmutableStack<int> stack = ImmutableStack.Create(1, 2, 3);
        yield return Exhibit.Items("Museum.Queues.stack", stack, "ImmutableStack", stack.Cast<object?>());
        ImmutableQueue<int> queue = ImmutableQueue.Create(1, 2, 3).Enqueue(4).Enqueue(5);
        yield return Exhibit.Items("Museum.Queues.queue", queue, "ImmutableQueue", queue.Cast<object?>());
        yield return Exhibit.Items("Museum.Queues.queueTaken", queue.Dequeue().Dequeue(), "ImmutableQueue", [3, 4, 5]);
        yield return Exhibit.Items("Museum.Queues.queueEmpty", ImmutableQueue<string>.Empty, "ImmutableQueue", []);

        string[] words = ["ape", "bee", "ant", "cow", "bat", "cat", "asp"];
        var lookup = (Lookup<char, string>)words.ToLookup(word => word[0]);
        yield return Exhibit.Items("Museum.Queues.lookup", lookup, "Lookup", lookup, lookup.Select(group => (object?)new Written($"'{group.Key}'")));
        IGrouping<char, string> group = words.ToLookup(word => word[0]).First();
        yield return Exhibit.Items("Museum.Queues.group", group, "Grouping", group);
        yield return Exhibit.Items("Museum.Queues.lookupEmpty", Array.Empty<string>().Where(word => word.Length > 5).ToLookup(word => word.Length), "Lookup", [], []);
    }

    static IEnumerable<Account> DescribeChannels()
    {
        yield return Of("unbounded", Channel.CreateUnbounded<string>(), ["a", "b"], "open");
        yield return Of("single", Channel.CreateUnbounded<int>(new UnboundedChannelOptions { SingleReader = true }), [1, 2, 3, 4], "open");
        Channel<int> passed = Channel.CreateUnbounded<int>(new UnboundedChannelOptions { SingleReader = true });
        for (int i = 0; i < 100; i++) passed.Writer.TryWrite(i);
        for (int i = 0; i < 60; i++) passed.Reader.TryRead(out _);
        yield return Exhibit.Items("Museum.Queues.singlePassed", passed, "Channel", Enumerable.Range(60, 40).Cast<object?>()).Add("state", "open");
        yield return Of("bounded", Channel.CreateBounded<int>(10), [5, 6, 7], "open").Add("capacity", 10);
        Channel<int> wrapped = Channel.CreateBounded<int>(4);
        for (int i = 0; i < 11; i++)
        {
            wrapped.Writer.TryWrite(i);
            if (i >= 3 && i < 10) wrapped.Reader.TryRead(out _);
        }
        yield return Exhibit.Items("Museum.Queues.boundedWrapped", wrapped, "Channel", [7, 8, 9, 10]).Add("state", "open").Add("capacity", 4);
        Channel<string> closed = Channel.CreateBounded<string>(3);
        closed.Writer.TryWrite("last");
        closed.Writer.Complete();
        yield return Exhibit.Items("Museum.Queues.closed", closed, "Channel", ["last"]).Add("state", "completed").Add("capacity", 3);
        yield return Of("unboundedEmpty", Channel.CreateUnbounded<string>(), [], "open");
        if (typeof(Channel).GetMethod("CreateUnboundedPrioritized", 1, []) is { } create)
        {
            var sorted = (Channel<int>)create.MakeGenericMethod(typeof(int)).Invoke(null, null)!;
            yield return Of("prioritized", sorted, [1, 8, 9], "open");
        }
    }

    static Account Of<T>(string name, Channel<T> channel, T[] items, string state)
    {
        foreach (T item in items) channel.Writer.TryWrite(item);
        return Exhibit.Items("Museum.Queues." + name, channel, "Channel", items.Cast<object?>()).Add("state", state);
    }
}
