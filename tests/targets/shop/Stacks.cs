// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using Catalog;

namespace Shop;

/// <summary>Threads whose stacks alone keep something alive, and one that has ended.</summary>
static class Stacks
{
    public static object[] All()
    {
        var ended = new Thread(() => { }) { Name = "ended" };
        ended.Start();
        ended.Join();
        Start("interior", InteriorPointer);
        Start("struct", StructWithReference);
        Start("handler", CaughtException);
        Start("generic", ready => Generic<Order, int>(null!, 5, ready));
        return [ended];
    }

    // Only a reference into the middle of the array is left.
    static void InteriorPointer(ManualResetEventSlim ready)
    {
        ref long middle = ref (new long[64])[40];
        middle = 40;
        Wait(ready);
        middle++;
    }

    static void StructWithReference(ManualResetEventSlim ready)
    {
        var local = new AutoStruct { Text = string.Concat("held by ", "a struct on a stack") };
        Wait(ready);
        GC.KeepAlive(local.Text);
    }

    static void CaughtException(ManualResetEventSlim ready)
    {
        try { throw new InvalidOperationException("still being handled"); }
        catch (InvalidOperationException) { Wait(ready); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Generic<T, U>(T item, U number, ManualResetEventSlim ready)
    {
        var pair = new Pair<U, List<T>>[3];
        Wait(ready);
        GC.KeepAlive(pair);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Wait(ManualResetEventSlim ready)
    {
        ready.Set();
        Thread.Sleep(Timeout.Infinite);
    }

    static void Start(string name, Action<ManualResetEventSlim> body)
    {
        var ready = new ManualResetEventSlim();
        new Thread(() => body(ready)) { IsBackground = true, Name = name }.Start();
        ready.Wait();
    }
}
