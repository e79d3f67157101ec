// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stacks;

/// Native code on top of managed code, below it and in between.
static unsafe class Natives
{
    delegate int Order(int* left, int* right);

    [DllImport("libc")]
    static extern int poll(void* files, nuint count, int timeout);

    [DllImport("libc")]
    static extern int poll(byte[] files, nuint count, int timeout);

    [DllImport("libc", EntryPoint = "qsort")]
    static extern void SortBy(int* numbers, nuint count, nuint size, delegate* unmanaged<int*, int*, int> order);

    [DllImport("libc", EntryPoint = "qsort")]
    static extern void SortBy(int* numbers, nuint count, nuint size, Order order);

    public static void Plant()
    {
        Threads.Start("native", "native", () => Poll(new Mark("argument of poll")), ["Stacks.Natives.Poll"],
                      ["argument of poll", "local of poll"]);
        Threads.Start("marshalled", "native", PollArray, ["Stacks.Natives.PollArray"], ["beside the array"]);
        Threads.Start("callback", "Thread.Sleep", Callback, ["Stacks.Natives.Compare", "Stacks.Natives.Callback"],
                      ["inside of qsort", "outside of qsort"]);
        Threads.Start("callback of a delegate", "Thread.Sleep", DelegateCallback, ["Stacks.Natives.DelegateCallback"],
                      ["outside of delegate"]);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int Poll(Mark argument)
    {
        var local = Mark.Of("local of poll");
        Threads.Arrive();
        int result = poll((void*)null, 0, -1);
        return result + argument.Seen + local.Seen;
    }

    static void PollArray()
    {
        var mark = new Mark("beside the array");
        byte[] files = [255, 255, 255, 255, 0, 0, 0, 0];
        Threads.Arrive();
        poll(files, 1, -1);
        GC.KeepAlive(mark);
    }

    [UnmanagedCallersOnly]
    static int Compare(int* left, int* right)
    {
        var mark = new Mark("inside of qsort");
        Threads.Rest();
        GC.KeepAlive(mark);
        return *left - *right;
    }

    static void Callback()
    {
        int* numbers = stackalloc int[] { 3, 1, 2 };
        var mark = new Mark("outside of qsort");
        SortBy(numbers, 3, sizeof(int), &Compare);
        GC.KeepAlive(mark);
    }

    static void DelegateCallback()
    {
        int* numbers = stackalloc int[] { 3, 1, 2 };
        var mark = new Mark("outside of delegate");
        SortBy(numbers, 3, sizeof(int), (left, right) =>
        {
            Threads.Rest();
            return mark.Seen;
        });
    }
}
