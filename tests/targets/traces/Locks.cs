// SPDX-License-Identifier: MIT
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Traces;

sealed class Orphan(string name)
{
    public readonly string Name = name;
}

/// Locks of every kind; each thread that holds or awaits one says so.
static class Locks
{
    // Since .NET 9.
    static readonly Type? lockType = Type.GetType("System.Threading.Lock");
    static readonly MethodInfo? enter = lockType?.GetMethod("Enter");
    static readonly object?[] locks = [Make(), Make(), Make()];
    static readonly ReaderWriterLockSlim written = new(), read = new(), upgradeable = new(),
                                         nested = new(LockRecursionPolicy.SupportsRecursion), crossed = new();
    static readonly object monitor = new();
    static readonly List<Orphan> orphans = [];
    static readonly CountdownEvent begun = new(1);

    static object? Make() => lockType == null ? null : Activator.CreateInstance(lockType);

    static void Start(string name, Action run)
    {
        begun.AddCount();
        var thread = new Thread(() =>
        {
            Planted.Say(new { thread = name, managedId = Environment.CurrentManagedThreadId });
            run();
        })
        { IsBackground = true, Name = name };
        thread.Start();
    }

    static void Stay()
    {
        begun.Signal();
        Thread.Sleep(Timeout.Infinite);
    }

    // Enough time to be seen waiting.
    static void Waiting(Action wait)
    {
        begun.Signal();
        wait();
    }

    public static void Plant()
    {
        foreach (string name in (string[])["thin", "hashed", "thin, thread kept", "hashed, thread kept"])
            Abandon(name);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        foreach (Orphan orphan in orphans.Where(orphan => orphan.Name.StartsWith("hashed")))
            RuntimeHelpers.GetHashCode(orphan);

        // Two threads that each wait for what the other holds, and one behind a monitor of the first.
        using var bothRead = new Barrier(2);
        Start("writes, awaits crossed", () =>
        {
            lock (monitor)
            {
                written.EnterWriteLock();
                bothRead.SignalAndWait();
                Waiting(crossed.EnterWriteLock);
            }
        });
        Start("reads crossed, awaits written", () =>
        {
            crossed.EnterReadLock();
            bothRead.SignalAndWait();
            Waiting(() => written.EnterReadLock());
        });
        Start("awaits the monitor", () =>
        {
            SpinWait.SpinUntil(() => Monitor.IsEntered(monitor) || written.IsWriteLockHeld || crossed.WaitingWriteCount > 0);
            Waiting(() => Monitor.Enter(monitor));
        });
        Start("first reader", () =>
        {
            read.EnterReadLock();
            Stay();
        });
        Start("second reader", () =>
        {
            read.EnterReadLock();
            Stay();
        });
        Start("awaits both readers", () =>
        {
            SpinWait.SpinUntil(() => read.CurrentReadCount == 2);
            Waiting(read.EnterWriteLock);
        });
        Start("may upgrade", () =>
        {
            upgradeable.EnterUpgradeableReadLock();
            Stay();
        });
        Start("reads beside", () =>
        {
            upgradeable.EnterReadLock();
            Stay();
        });
        Start("writes three times", () =>
        {
            for (int i = 0; i < 3; i++) nested.EnterWriteLock();
            nested.EnterReadLock();
            Stay();
        });
        if (lockType != null)
        {
            var bothHeld = new Barrier(2);
            Start("holds Lock 0", () =>
            {
                Enter(0);
                bothHeld.SignalAndWait();
                Waiting(() => Enter(1));
            });
            Start("holds Lock 1", () =>
            {
                Enter(1);
                bothHeld.SignalAndWait();
                Waiting(() => Enter(0));
            });
            Start("holds Lock 2 three times", () =>
            {
                for (int i = 0; i < 3; i++) Enter(2);
                Stay();
            });
        }
        begun.Signal();
        begun.Wait();
        Thread.Sleep(700);
        SpinWait.SpinUntil(() => crossed.WaitingWriteCount == 1 && written.WaitingReadCount == 1 && read.WaitingWriteCount == 1);
    }

    static void Enter(int which) => ((Action)enter!.CreateDelegate(typeof(Action), locks[which]))();

    static readonly List<Thread> kept = [];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Abandon(string name)
    {
        var orphan = new Orphan(name);
        orphans.Add(orphan);
        int id = 0;
        var thread = new Thread(() =>
        {
            Monitor.Enter(orphan);
            id = Environment.CurrentManagedThreadId;
        });
        thread.Start();
        thread.Join();
        if (name.EndsWith("kept")) kept.Add(thread);
        Planted.Say(new { orphan = name, managedId = id });
    }
}
