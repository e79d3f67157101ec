// SPDX-License-Identifier: MIT
using System.Threading.Channels;

namespace Stacks;

/// What an async method can wait for.
static class Sources
{
    static readonly SemaphoreSlim semaphore = new(0);
    static readonly Channel<Mark> channel = Channel.CreateUnbounded<Mark>();
    static readonly Timer timer = new(static _ => { }, new Mark("state of the timer"), TimeSpan.FromHours(1), TimeSpan.FromHours(1));
    static readonly PeriodicTimer ticks = new(TimeSpan.FromHours(1));
    static readonly Desk desk = new();

    public static void Plant()
    {
        Async.Kept.Add(EnterAsync());
        Async.Expect("semaphore", 1, "SemaphoreSlim", ["Stacks.Sources.EnterAsync"], ["at the semaphore"]);
        Async.Kept.Add(ReceiveAsync());
        Async.Expect("channel", 1, "Channel", ["Stacks.Sources.ReceiveAsync"], ["at the channel"]);
        Async.Kept.Add(SleepAsync());
        Async.Expect("delay", 1, "Task.Delay", ["Stacks.Sources.SleepAsync"], ["in the delay"]);
        Async.Kept.Add(TickAsync());
        Async.Expect("ticks", 1, "PeriodicTimer", ["Stacks.Sources.TickAsync"], ["between ticks"]);
        SynchronizationContext.SetSynchronizationContext(desk);
        Async.Kept.Add(ReturnAsync());
        Async.Expect("context", 1, "TaskCompletionSource", ["Stacks.Sources.ReturnAsync"], ["away from the desk"]);
        Async.Kept.Add(PostedAsync());
        Async.Expect("posted", 1, "SynchronizationContext", ["Stacks.Sources.PostedAsync"], ["on the desk"]);
        SynchronizationContext.SetSynchronizationContext(null);
        Planted.Say(("timers", 1), ("callback", "Stacks.Sources"), ("state", "state of the timer"));
        GC.KeepAlive(timer);
    }

    static async Task EnterAsync()
    {
        var local = new Mark("at the semaphore");
        await semaphore.WaitAsync();
        GC.KeepAlive(local);
    }

    static async Task ReceiveAsync()
    {
        var local = new Mark("at the channel");
        local.Seen = (await channel.Reader.ReadAsync()).Seen;
    }

    static async Task SleepAsync()
    {
        var local = new Mark("in the delay");
        await Task.Delay(TimeSpan.FromHours(1));
        GC.KeepAlive(local);
    }

    static async Task TickAsync()
    {
        var local = new Mark("between ticks");
        while (await ticks.WaitForNextTickAsync()) local.Seen++;
    }

    static async Task ReturnAsync()
    {
        var local = new Mark("away from the desk");
        await new TaskCompletionSource().Task;
        GC.KeepAlive(local);
    }

    static async Task PostedAsync()
    {
        var local = new Mark("on the desk");
        await Task.Yield();
        GC.KeepAlive(local);
    }

    /// A context that never gets round to its work.
    sealed class Desk : SynchronizationContext
    {
        readonly Queue<(SendOrPostCallback, object?)> letters = new();

        public override void Post(SendOrPostCallback callback, object? state) => letters.Enqueue((callback, state));
    }
}
