// SPDX-License-Identifier: MIT
using Catalog;

namespace Shop;

/// <summary>What the compiler and the runtime build for code: delegates, closures, state machines, iterators, exceptions.</summary>
static class Code
{
    static event EventHandler? Closed;

    public static object[] All()
    {
        int counter = 0;
        string label = "captured";
        Func<int> closure = () => ++counter + label.Length;
        var inLoop = new List<Action>();
        for (int i = 0; i < 5; i++)
        {
            int copy = i;
            inLoop.Add(() => counter += copy);
        }
        Action combined = inLoop[0] + inLoop[1] + Code.Quiet;
        Closed += (_, _) => counter++;
        Closed += OnClosed;
        return
        [
            closure, inLoop, combined, (Func<int, int>)Square, (Func<string>)label.Trim, (Action<Order>)(static order => order.Notify()), new Converter<int, string>(n => n.ToString()),
            WaitForever(3, "argument"), WaitForValue(), WaitForNothing(), ValueWait().AsTask(), Count(5).GetEnumerator(), AdvancedIterator(), CountAsync().GetAsyncEnumerator(),
            Task.CompletedTask, Task.FromResult(5), Task.FromException(Thrown()), Thrown(), new AggregateException("several", Thrown(), new InvalidOperationException("inner")),
            Enumerable.Range(0, 10).Where(n => n % 2 == 0).Select(n => n * label.Length), new TaskCompletionSource<Order>(), new SemaphoreSlim(1), new Timer(_ => { }, label, 3_600_000, 3_600_000), new Progress<int>(_ => { }),
        ];
    }

    static void Quiet() { }
    static int Square(int number) => number * number;
    static void OnClosed(object? sender, EventArgs e) { }

    static async Task<string> WaitForever(int number, string text)
    {
        var local = new SequentialStruct { B = 5 };
        await Task.Delay(Timeout.Infinite);
        return text + number + local.B;
    }

    static async Task<int> WaitForValue() => (await WaitForever(1, "inner")).Length;

    static async Task WaitForNothing()
    {
        try { await WaitForValue(); }
        finally { await Task.Yield(); }
    }

    static async ValueTask<Guid> ValueWait()
    {
        await Task.Delay(Timeout.Infinite);
        return Guid.Empty;
    }

    static IEnumerable<int> Count(int to)
    {
        for (int i = 0; i < to; i++)
            yield return i;
    }

    static IEnumerator<int> AdvancedIterator()
    {
        var iterator = Count(9).GetEnumerator();
        iterator.MoveNext();
        iterator.MoveNext();
        return iterator;
    }

    static async IAsyncEnumerable<int> CountAsync()
    {
        for (int i = 0; ; i++)
        {
            await Task.Delay(1);
            yield return i;
        }
    }

    static Exception Thrown()
    {
        try { throw new OrderException(42, "out of stock"); }
        catch (OrderException e) { return e; }
    }

    sealed class OrderException(int order, string message) : Exception(message)
    {
        public int Order { get; } = order;
    }
}
