// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

/// Threads that a dump stops somewhere in their own code.
static class Spinning
{
    static volatile int never;

    public static void Plant()
    {
        Threads.Start("spinning", "", () => Loop(new Mark("in the loop")), ["Stacks.Spinning.Loop"], ["in the loop"]);
        Threads.Start("spinning in calls", "", () => LoopOfCalls(new Mark("in the loop of calls")), ["Stacks.Spinning.LoopOfCalls"],
                      ["in the loop of calls"]);
    }

    static void Loop(Mark mark)
    {
        Threads.Arrive();
        int turns = 0;
        while (never == 0) turns++;
        mark.Seen = turns;
    }

    static void LoopOfCalls(Mark mark)
    {
        Threads.Arrive();
        while (never == 0) mark.Seen = Leaf(mark, mark.Seen);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Leaf(Mark mark, int turns)
    {
        foreach (char letter in mark.Name) turns ^= letter;
        return turns + never;
    }
}
