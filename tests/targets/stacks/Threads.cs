// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

/// All the threads, and what each is expected to show.
static class Threads
{
    static int begun, resting;

    public static void Plant()
    {
        Waits.Plant();
        Locals.Plant();
        Calls.Plant();
        AllRest();
        // The runtime unwinds its helper frames for a collection and leaves the result in them: some have it, some do not.
        GC.Collect();
        Locals.PlantDead();
        Handlers.Plant();
        Natives.Plant();
        Emitted.Plant();
        Deadlocks.Plant();
        AllRest();
        Spinning.Plant();
        AllRest();
    }

    /// frames: methods of the program that must be on the stack, innermost first. keeps: marks that the stack must hold.
    /// drops: marks that a word of the stack may still lead to, but no local.
    public static Thread Start(string name, string waits, ThreadStart body, string[]? frames = null, string[]? keeps = null,
                               string[]? drops = null)
    {
        begun++;
        var thread = new Thread(body, 256 * 1024) { Name = name, IsBackground = true };
        thread.Start();
        Planted.Say(("thread", name), ("managedId", thread.ManagedThreadId), ("waits", waits), ("frames", frames ?? []),
                    ("keeps", keeps ?? []), ("drops", drops ?? []));
        return thread;
    }

    /// About to come to rest.
    public static void Arrive() => Interlocked.Increment(ref resting);

    /// Where a thread comes to rest whose subject is not how it waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Rest()
    {
        Arrive();
        Thread.Sleep(Timeout.Infinite);
    }

    static void AllRest()
    {
        while (Volatile.Read(ref resting) < begun) Thread.Sleep(10);
        Thread.Sleep(300);  // from the last word of each to where it really waits
    }
}
