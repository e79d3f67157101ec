// SPDX-License-Identifier: MIT
// One method for each way in which code can come about.
using System.Runtime.CompilerServices;

static class Tiers
{
    public static long Run()
    {
        long sum = Once(1) + Eager(1) + Plain(1) + Looping(60_000_000);
        for (int i = 0; i < 200; i++)
        {
            sum += Often(i);
            if (i % 40 == 39)
                Thread.Sleep(150);  // calls are counted once no new method came along for a while
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Once(int x) => x + 1;  // tier-0

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Often(int x) => x * 3 + 1;  // tier-0, then instrumented perhaps, then tier-1

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Looping(int count)  // replaced while it runs
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
            sum += i ^ (sum >> 3);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int Eager(int x) => x * 5;  // optimised from the start

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    static int Plain(int x) => x * 7;  // never optimised
}
