// SPDX-License-Identifier: MIT
using System.Net;
using System.Net.Sockets;

namespace Stacks;

/// Each way of waiting.
static class Waits
{
    static readonly object door = new(), bell = new();
    static readonly TaskCompletionSource promise = new();

    public static void Plant()
    {
        var owner = Threads.Start("door's owner", "Thread.Sleep", HoldDoor, ["Stacks.Waits.HoldDoor"]);
        while (Volatile.Read(ref doorHeld) == 0) Thread.Yield();
        Threads.Start("monitor enter 1", "Monitor.Enter", EnterMonitor, ["Stacks.Waits.EnterMonitor"], ["at the door"]);
        Threads.Start("monitor enter 2", "Monitor.Enter", EnterMonitor, ["Stacks.Waits.EnterMonitor"], ["at the door"]);
        Planted.Say(("lock", "door"), ("ownerManagedId", owner.ManagedThreadId), ("waiting", 2));
        Threads.Start("monitor wait", "Monitor.Wait", WaitForBell, ["Stacks.Waits.WaitForBell"], ["at the bell"]);
        Threads.Start("event", "ManualResetEvent", WaitForEvent, ["Stacks.Waits.WaitForEvent"], ["at the event"]);
        Threads.Start("slim event", "ManualResetEventSlim.Wait", WaitForSlimEvent, ["Stacks.Waits.WaitForSlimEvent"]);
        Threads.Start("any of two", "WaitHandle.WaitAny", WaitForAny, ["Stacks.Waits.WaitForAny"]);
        Threads.Start("task", "Task.Wait", WaitForTask, ["Stacks.Waits.WaitForTask"], ["at the task"]);
        Threads.Start("semaphore", "SemaphoreSlim.Wait", WaitForSemaphore, ["Stacks.Waits.WaitForSemaphore"]);
        Threads.Start("sleep", "Thread.Sleep", Sleep, ["Stacks.Waits.Sleep"], ["asleep"]);
        Threads.Start("join", "Thread.Join", () => Join(owner), ["Stacks.Waits.Join"]);
        Threads.Start("socket", "Socket.Receive", ReadSocket, ["Stacks.Waits.ReadSocket"]);
        ThreadPool.UnsafeQueueUserWorkItem(_ => { }, null);  // leaves a worker behind that has nothing to do
    }

    static int doorHeld;

    static void HoldDoor()
    {
        lock (door)
        {
            doorHeld = 1;
            Threads.Rest();
        }
    }

    static void EnterMonitor()
    {
        var mark = new Mark("at the door");
        Threads.Arrive();
        lock (door) GC.KeepAlive(mark);
    }

    static void WaitForBell()
    {
        var mark = new Mark("at the bell");
        lock (bell)
        {
            Threads.Arrive();
            Monitor.Wait(bell);
        }
        GC.KeepAlive(mark);
    }

    static void WaitForEvent()
    {
        var mark = new Mark("at the event");
        using var signal = new ManualResetEvent(false);
        Threads.Arrive();
        signal.WaitOne();
        GC.KeepAlive(mark);
    }

    static void WaitForSlimEvent()
    {
        var signal = new ManualResetEventSlim();
        Threads.Arrive();
        signal.Wait();
    }

    static void WaitForAny()
    {
        var signals = new WaitHandle[] { new ManualResetEvent(false), new AutoResetEvent(false) };
        Threads.Arrive();
        WaitHandle.WaitAny(signals);
    }

    static void WaitForTask()
    {
        var mark = new Mark("at the task");
        Threads.Arrive();
        promise.Task.Wait();
        GC.KeepAlive(mark);
    }

    static void WaitForSemaphore()
    {
        var semaphore = new SemaphoreSlim(0);
        Threads.Arrive();
        semaphore.Wait();
    }

    static void Sleep()
    {
        var mark = new Mark("asleep");
        Threads.Rest();
        GC.KeepAlive(mark);
    }

    static void Join(Thread other)
    {
        Threads.Arrive();
        other.Join();
    }

    static void ReadSocket()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listener.LocalEndPoint!);
        var server = listener.Accept();
        Threads.Arrive();
        server.Receive(new byte[64]);
        GC.KeepAlive(client);
    }
}
