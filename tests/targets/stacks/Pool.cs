// SPDX-License-Identifier: MIT
namespace Stacks;

/// Work that the pool has been given while all its threads are busy.
static class Pool
{
    sealed class Errand : IThreadPoolWorkItem
    {
        public readonly Mark Mark = new("of the errand");
        public void Execute() => Mark.Seen++;
    }

    static int busy;

    public static void Plant()
    {
        // As few as are allowed: one a processor. The last of them leaves work in a queue of its own.
        int workers = Environment.ProcessorCount;
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, 1);
        Async.Kept.Add(RunningAsync());
        WaitFor(1);
        for (int i = 2; i < workers; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ => Hold(), null);
            WaitFor(i);
        }
        if (workers > 1)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ => LeaveWork(), null);
            WaitFor(workers);
        }
        for (int i = 0; i < 3; i++) ThreadPool.QueueUserWorkItem(static state => state.Seen++, new Mark("state of a work item"), preferLocal: false);
        for (int i = 0; i < 2; i++) Async.Kept.Add(Task.Run(Work));
        ThreadPool.UnsafeQueueUserWorkItem(new Errand(), preferLocal: false);
        for (int i = 0; i < 4; i++) Async.Kept.Add(YieldAsync());
        Async.Expect("yielded", 4, "thread pool", ["Stacks.Pool.YieldAsync"], ["has yielded"]);
        Planted.Say(("queued", 3 + 2 + 1 + 4), ("local", workers > 1 ? 2 : 0), ("workers", workers));
    }

    // Runs at the moment: on a thread rather than in a queue.
    static async Task RunningAsync()
    {
        await Task.Yield();
        var local = new Mark("of the running one");
        Hold();
        await Task.Yield();
        GC.KeepAlive(local);
    }

    static void Hold()
    {
        Interlocked.Increment(ref busy);
        Thread.Sleep(Timeout.Infinite);
    }

    static void LeaveWork()
    {
        for (int i = 0; i < 2; i++) ThreadPool.QueueUserWorkItem(static state => state.Seen++, new Mark("state of a local work item"), preferLocal: true);
        Hold();
    }

    static void WaitFor(int count)
    {
        while (Volatile.Read(ref busy) < count) Thread.Sleep(10);
    }

    static void Work() => Thread.Sleep(1);

    static async Task YieldAsync()
    {
        var local = new Mark("has yielded");
        await Task.Yield();
        GC.KeepAlive(local);
    }
}
