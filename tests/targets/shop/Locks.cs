// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Shop;

/// <summary>Locks in every state: thin, nested, inflated, awaited, and two threads that block each other.</summary>
static class Locks
{
    public static object[] All()
    {
        object thin = new Door("thin"), nested = new Door("nested"), hashed = new Door("hashed, then locked"), awaited = new Door("awaited");
        object left = new Door("left"), right = new Door("right"), released = new Door("released");
        RuntimeHelpers.GetHashCode(hashed);
        lock (released)
            Monitor.Pulse(released);

        Start("holder", ready =>
        {
            lock (thin) lock (nested) lock (nested) lock (nested) lock (hashed) lock (awaited)
                Hold(ready);
        });
        Start("waiter", ready =>
        {
            ready.Set();
            lock (awaited) { }
        });
        using var bothInside = new Barrier(2);
        Start("left first", ready => Embrace(left, right, bothInside, ready), wait: false);
        Start("right first", ready => Embrace(right, left, bothInside, ready));
        Thread.Sleep(500);  // nothing tells when a thread has begun to wait
        return [thin, nested, hashed, awaited, left, right, released];
    }

    static void Embrace(object first, object second, Barrier inside, ManualResetEventSlim ready)
    {
        lock (first)
        {
            inside.SignalAndWait();
            ready.Set();
            lock (second) { }
        }
    }

    static void Hold(ManualResetEventSlim ready)
    {
        ready.Set();
        Thread.Sleep(Timeout.Infinite);
    }

    static void Start(string name, Action<ManualResetEventSlim> body, bool wait = true)
    {
        var ready = new ManualResetEventSlim();
        new Thread(() => body(ready)) { IsBackground = true, Name = name }.Start();
        if (wait)
            ready.Wait();
    }

    sealed class Door(string name) { readonly string name = name; }
}
