// SPDX-License-Identifier: MIT
// Async methods that the runtime itself suspends (.NET 11), in every way that a chain of them can be made of, with what
// their locals hold. Prints a line of JSON for each chain, innermost method first, then "ready", and waits.
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using System.Threading.Tasks.Sources;

namespace System.Runtime.CompilerServices
{
    /// <summary>Has the compiler make a state machine of a method.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class RuntimeAsyncMethodGenerationAttribute(bool isOn) : Attribute
    {
        public bool IsOn => isOn;
    }
}

namespace Suspended
{
    public sealed class Order(int number, string customer)
    {
        public int Number = number;
        public string Customer = customer;
        public byte[] Scan = new byte[4000];
    }

    public enum Carrier { None, Ship, Train }

    public struct Price
    {
        public int Cents;
        public string Currency;
        public long Paid;
    }

    /// <summary>What a chain says of itself while its methods begin, the outermost first.</summary>
    sealed class Chain
    {
        static readonly AsyncLocal<Chain?> Current = new();
        public static readonly List<object> Kept = [];
        readonly List<string> m_calls = [];

        /// <summary>Begins one, keeps its task, and prints what it was made of.</summary>
        public static void Begin(string name, string waitsFor, Func<object> begin) =>
            Begin(begin).Print(name, waitsFor, "suspended");

        public static Chain Begin(Func<object> begin)
        {
            var chain = new Chain();
            Current.Value = chain;
            Kept.Add(begin());
            Current.Value = null;
            return chain;
        }

        public void Print(string name, string waitsFor, string state)
        {
            lock (m_calls)
            {
                m_calls.Reverse();
                Console.WriteLine($"{{\"kind\":\"chain\",\"name\":\"{name}\",\"state\":\"{state}\",\"waitsFor\":\"{waitsFor}\"," +
                                  $"\"calls\":[{string.Join(',', m_calls)}]}}");
            }
        }

        /// <summary>Notes a call, which stands at an await of this line, and what its locals hold.</summary>
        public static void Call(string method, Dictionary<string, object>? locals = null, bool isMachine = false,
                                [CallerLineNumber] int line = 0)
        {
            if (Current.Value is not { } chain) return;
            var values = new List<string>();
            foreach (var (name, value) in locals ?? []) values.Add($"\"{name}\":\"{value}\"");
            lock (chain.m_calls)
                chain.m_calls.Add($"{{\"method\":\"Suspended.{method}\",\"line\":{line}," +
                                  $"\"locals\":{{{string.Join(',', values)}}},\"machine\":{(isMachine ? "true" : "false")}}}");
        }
    }

    /// <summary>Source of a value task that never ends.</summary>
    sealed class Pending : IValueTaskSource<int>
    {
        Action<object?>? m_next;
        object? m_state;
        public int GetResult(short token) => throw new InvalidOperationException();
        public ValueTaskSourceStatus GetStatus(short token) => ValueTaskSourceStatus.Pending;
        public void OnCompleted(Action<object?> next, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        {
            m_next = next;
            m_state = state;
        }
    }

    /// <summary>Something to await that is no task.</summary>
    sealed class Bell : ICriticalNotifyCompletion
    {
        Action? m_next;
        public bool IsCompleted => false;
        public Bell GetAwaiter() => this;
        public void GetResult() { }
        public void OnCompleted(Action next) => m_next = next;
        public void UnsafeOnCompleted(Action next) => m_next = next;
    }

    static class Shop
    {
        public static readonly TaskCompletionSource<int> Bank = new();
        static readonly TaskCompletionSource Door = new();

        public static async Task<string> CheckoutAsync(string customer, Order order)
        {
            var carrier = Carrier.Train;
            var weight = 2.5;
            await Warm(); await Task.CompletedTask;
            Chain.Call("Shop.CheckoutAsync", new() { ["customer"] = customer, ["order"] = order.Number, ["carrier"] = carrier, ["weight"] = weight }); var paid = await ChargeAsync(order, 4200);
            return $"{customer} {order.Number} {carrier} {weight} {paid}";
        }

        static async Task Warm() => await Task.CompletedTask;

        static async Task<int> ChargeAsync(Order order, int cents)
        {
            var fee = cents * 3L;
            var price = new Price { Cents = cents, Currency = "EUR", Paid = fee };
            var isOpen = true;
            Chain.Call("Shop.ChargeAsync", new() { ["order"] = order.Number, ["cents"] = cents, ["fee"] = fee, ["isOpen"] = isOpen }); var answer = await Bank.Task;
            return answer + order.Number + cents + (int)fee + price.Cents + price.Currency.Length + (isOpen ? 1 : 0);
        }

        public static async ValueTask<string> ReceiptAsync(int number)
        {
            Chain.Call("Shop.ReceiptAsync", new() { ["number"] = number }); var text = await PrintAsync(number + 1);
            return text + number;
        }

        static async ValueTask<string> PrintAsync(int page)
        {
            Chain.Call("Shop.PrintAsync", new() { ["page"] = page }); await Door.Task.ConfigureAwait(false);
            return "page " + page;
        }

        public static async Task<T> FetchAsync<T>(T key, string why)
        {
            Chain.Call("Shop.FetchAsync", new() { ["key"] = key!, ["why"] = why }); await Door.Task;
            GC.KeepAlive(why);
            return key;
        }

        public static async Task SearchAsync()
        {
            Chain.Call("Shop.SearchAsync"); Console.WriteLine(await FetchAsync("a key", "of text"));
        }

        public static async Task CountAsync()
        {
            Chain.Call("Shop.CountAsync"); Console.WriteLine(await FetchAsync(123, "of a number"));
        }

        public static async Task BothAsync()
        {
            Chain.Call("Shop.BothAsync"); await Task.WhenAll(StockAsync("north"), Task.Delay(Timeout.Infinite));
        }

        static async Task StockAsync(string store)
        {
            Chain.Call("Shop.StockAsync", new() { ["store"] = store }); await Door.Task;
            GC.KeepAlive(store);
        }

        public static async Task RetryAsync(int attempts)
        {
            try { Chain.Call("Shop.RetryAsync", new() { ["attempts"] = attempts }); await StockAsync("south"); }
            finally { Console.WriteLine(attempts); }
        }

        public static async Task DescendAsync(int depth)
        {
            if (depth > 0) { Chain.Call("Shop.DescendAsync", new() { ["depth"] = depth }); await DescendAsync(depth - 1); }
            else { Chain.Call("Shop.DescendAsync", new() { ["depth"] = depth }); await Door.Task; }
            GC.KeepAlive(depth);
        }

        public static async Task SleepAsync()
        {
            Chain.Call("Shop.SleepAsync"); await Task.Delay(3_600_000);
        }

        public static async Task EnterAsync(SemaphoreSlim gate, string who)
        {
            Chain.Call("Shop.EnterAsync", new() { ["who"] = who }); await gate.WaitAsync();
            GC.KeepAlive(who);
        }

        public static async Task<int> SourceAsync(Pending source, string tag)
        {
            Chain.Call("Shop.SourceAsync", new() { ["tag"] = tag }); var value = await new ValueTask<int>(source, 0);
            return value + tag.Length;
        }

        public static async Task RingAsync(Bell bell, string tag)
        {
            Chain.Call("Shop.RingAsync", new() { ["tag"] = tag }); await bell;
            GC.KeepAlive(tag);
        }

        public static async Task<string> OldAsync(string tag)
        {
            Chain.Call("Shop.OldAsync", new() { ["tag"] = tag }); var made = await MachineAsync("machine " + tag);
            return made + tag;
        }

        [RuntimeAsyncMethodGeneration(false)]
        static async Task<string> MachineAsync(string text)
        {
            Chain.Call("Shop.MachineAsync", new() { ["text"] = text }, isMachine: true); await StockAsync("under " + text);
            return text;
        }

        [RuntimeAsyncMethodGeneration(false)]
        public static async Task OuterMachineAsync(string text)
        {
            Chain.Call("Shop.OuterMachineAsync", new() { ["text"] = text }, isMachine: true); await SleepAsync();
            GC.KeepAlive(text);
        }

        static async IAsyncEnumerable<int> NumbersAsync(string first)
        {
            yield return first.Length;
            Chain.Call("Shop.NumbersAsync", new() { ["first"] = first }, isMachine: true); await StockAsync("east");
            yield return 2 + first.Length;
        }

        public static async Task EachAsync()
        {
            var sum = 0;
            Chain.Call("Shop.EachAsync"); await foreach (var number in NumbersAsync("numbers"))
                sum += number;
            Console.WriteLine(sum);
        }

        public static async Task ReadAsync(Channel<int> orders)
        {
            Chain.Call("Shop.ReadAsync"); Console.WriteLine(await orders.Reader.ReadAsync());
        }

        public static async Task LineAsync(StreamReader reader)
        {
            Chain.Call("Shop.LineAsync"); Console.WriteLine(await reader.ReadLineAsync());
        }

        public static Func<string, Task> Lambda() => async name =>
        {
            var order = new Order(77, name);
            Chain.Call("Shop.Lambda", new() { ["name"] = name, ["order"] = 77 }); await Door.Task;
            GC.KeepAlive(order);
            GC.KeepAlive(name);
        };

        public static Task Local(string name)
        {
            return InnerAsync(name);
            static async Task InnerAsync(string inner)
            {
                Chain.Call("Shop.Local.InnerAsync", new() { ["inner"] = inner }); await Door.Task;
                GC.KeepAlive(inner);
            }
        }

        public static async Task OuterRunningAsync(string tag, Task start)
        {
            Chain.Call("Shop.OuterRunningAsync", new() { ["tag"] = tag }); await RunAsync("inner " + tag, start);
            GC.KeepAlive(tag);
        }

        static async Task RunAsync(string what, Task start)
        {
            await start.ConfigureAwait(false);
            Chain.Call("Shop.RunAsync"); Runner.Spin(what);
        }
    }

    static class Runner
    {
        public static readonly ManualResetEventSlim IsSpinning = new();
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Spin(string what)
        {
            IsSpinning.Set();
            Thread.Sleep(Timeout.Infinite);
            GC.KeepAlive(what);
        }
    }

    /// <summary>Work of a context that nobody does.</summary>
    sealed class IdleContext : SynchronizationContext
    {
        public readonly List<object?> Posted = [];
        public override void Post(SendOrPostCallback callback, object? state) => Posted.Add((callback, state));
    }

    static class Program
    {
        static void Main()
        {
            Chain.Begin("nested", "TaskCompletionSource", () => Shop.CheckoutAsync("Ada", new Order(41, "Ada")));
            Chain.Begin("valueTask", "TaskCompletionSource", () => Shop.ReceiptAsync(7).AsTask());
            Chain.Begin("genericText", "TaskCompletionSource", Shop.SearchAsync);
            Chain.Begin("genericNumber", "TaskCompletionSource", Shop.CountAsync);
            Chain.Begin("whenAll", "TaskCompletionSource", Shop.BothAsync);
            Chain.Begin("tryFinally", "TaskCompletionSource", () => Shop.RetryAsync(3));
            Chain.Begin("recursion", "TaskCompletionSource", () => Shop.DescendAsync(20));
            Chain.Begin("delay", "Task.Delay", Shop.SleepAsync);
            Chain.Begin("semaphore", "SemaphoreSlim.WaitAsync", () => Shop.EnterAsync(new SemaphoreSlim(0), "somebody"));
            Chain.Begin("source", "Suspended.Pending", () => Shop.SourceAsync(new Pending(), "of a source"));
            Chain.Begin("awaiter", "Suspended.Bell", () => Shop.RingAsync(new Bell(), "of a bell"));
            Chain.Begin("machineInside", "TaskCompletionSource", () => Shop.OldAsync("inside"));
            Chain.Begin("machineOutside", "Task.Delay", () => Shop.OuterMachineAsync("outside"));
            Chain.Begin("iterator", "TaskCompletionSource", Shop.EachAsync);
            Chain.Begin("channel", "ChannelReader.ReadAsync", () => Shop.ReadAsync(Channel.CreateUnbounded<int>()));
            var pipe = new Pipe();
            Chain.Begin("framework", "PipeReader.ReadAsync", () => Shop.LineAsync(new StreamReader(pipe.Reader.AsStream())));
            Chain.Begin("lambda", "TaskCompletionSource", () => Shop.Lambda()("a lambda"));
            Chain.Begin("localFunction", "TaskCompletionSource", () => Shop.Local("a local function"));

            var start = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var running = Chain.Begin(() => Shop.OuterRunningAsync("running", start.Task));
            start.SetResult();
            Runner.IsSpinning.Wait();
            running.Print("running", "", "running");

            // Goes on in a context that does not get to it.
            var turn = new TaskCompletionSource();
            SynchronizationContext.SetSynchronizationContext(new IdleContext());
            Chain.Kept.Add(SynchronizationContext.Current!);
            var queued = Chain.Begin(() => ContextAsync("in a context", turn.Task));
            SynchronizationContext.SetSynchronizationContext(null);
            turn.SetResult();
            queued.Print("context", "SynchronizationContext or TaskScheduler", "queued");

            var waiter = new Thread(() => WaitAsync("waited for").Wait()) { IsBackground = true, Name = "waiter" };
            waiter.Start();
            while (!waiter.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin)) Thread.Sleep(10);
            Thread.Sleep(500);
            Console.WriteLine($"{{\"kind\":\"thread\",\"managedId\":{waiter.ManagedThreadId},\"waits\":\"Suspended.Program.WaitAsync\"}}");
            GC.Collect();
            Console.WriteLine("ready");
            Thread.Sleep(Timeout.Infinite);
        }

        static async Task ContextAsync(string tag, Task turn)
        {
            Chain.Call("Program.ContextAsync", new() { ["tag"] = tag }); await turn;
            GC.KeepAlive(tag);
        }

        static async Task WaitAsync(string tag)
        {
            await Shop.Bank.Task;
            GC.KeepAlive(tag);
        }
    }
}
