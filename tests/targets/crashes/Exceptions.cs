// SPDX-License-Identifier: MIT
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Crashes;

class BakeryException : Exception
{
    public BakeryException() { }
    public BakeryException(string message, Exception? inner = null) : base(message, inner) { }
}

/// Exceptions that nobody catches, on every kind of thread.
static class Exceptions
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Divide(int loaves, int people) => loaves / people;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Null(string? order) => Console.WriteLine(order!.Length);

    public static void OnThread(Action work, int stackBytes = 0)
    {
        var baker = new Thread(() => work(), stackBytes) { Name = "baker" };
        baker.Start();
        baker.Join();
    }

    public static void Chain()
    {
        try
        {
            try { Divide(7, 0); }
            catch (DivideByZeroException cause) { throw new BakeryException("no share for anybody", cause); }
        }
        catch (BakeryException cause) { throw new InvalidOperationException("the day is lost", cause) { HResult = unchecked((int)0x80041234) }; }
    }

    public static void OnPool()
    {
        ThreadPool.UnsafeQueueUserWorkItem(_ => throw new BakeryException("in the pool"), null);
        Thread.Sleep(Timeout.Infinite);
    }

    sealed class Leftover
    {
        ~Leftover() => throw new BakeryException("in a finalizer");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Leave() => GC.KeepAlive(new Leftover());

    public static void OnFinalizer()
    {
        Leave();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Thread.Sleep(Timeout.Infinite);
    }

    static class Recipes
    {
        public static readonly int First = int.Parse("a handful");
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static int Read() => First;
    }

    public static void InConstructor() => Console.WriteLine(Recipes.Read());

    public static async Task FromAsync()
    {
        await Task.Delay(1);
        await Deeper();
    }

    static async Task Deeper()
    {
        await Task.Yield();
        Divide(7, 0);
    }

    public static async void AsyncVoid()
    {
        await Task.Delay(1);
        Divide(7, 0);
    }

    public static void Aggregate() =>
        Task.WaitAll(Task.Run(() => Divide(7, 0)), Task.Run(() => throw new BakeryException("second of two")));

    public static void OnTimer()
    {
        using var timer = new Timer(_ => throw new BakeryException("by a timer"), null, 1, Timeout.Infinite);
        Thread.Sleep(Timeout.Infinite);
    }

    [DllImport("libc")]
    static extern unsafe void qsort(void* items, nint count, nint size, delegate* unmanaged<void*, void*, int> compare);

    [UnmanagedCallersOnly]
    static unsafe int Compare(void* left, void* right) => Divide(7, 0);

    public static unsafe void InCallback()
    {
        int* items = stackalloc int[] { 3, 1, 2 };
        qsort(items, 3, sizeof(int), &Compare);
    }

    public static void ByReflection() =>
        typeof(Exceptions).GetMethod(nameof(Divide))!.Invoke(null, [7, 0]);

    public static void Rethrow()
    {
        try { Divide(7, 0); }
        catch { throw; }
    }

    static bool Log(Exception seen) => seen.Message.Length == 0;

    public static void PastFilter()
    {
        try { Divide(7, 0); }
        catch (Exception seen) when (Log(seen)) { }
    }

    public static void InFinally()
    {
        try
        {
            try { Divide(7, 0); }
            finally { throw new BakeryException("while cleaning up"); }
        }
        catch (DivideByZeroException) { }
    }

    public static void AfterCaught()
    {
        try { Divide(7, 0); }
        catch (DivideByZeroException) { }
        throw new BakeryException("the second one");
    }

    // Dies while another exception is still being handled.
    public static void InHandler()
    {
        try { Divide(7, 0); }
        catch (DivideByZeroException) { Throw("in a handler"); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throw(string message) => throw new BakeryException(message);

    public static void Emitted()
    {
        var method = new DynamicMethod("Made", typeof(int), [typeof(int)]);
        ILGenerator code = method.GetILGenerator();
        code.Emit(OpCodes.Ldc_I4_7);
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Call, typeof(Exceptions).GetMethod(nameof(Divide))!);
        code.Emit(OpCodes.Ret);
        ((Func<int, int>)method.CreateDelegate(typeof(Func<int, int>)))(0);
    }
}
