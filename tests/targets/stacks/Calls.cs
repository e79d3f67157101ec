// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

interface IStep
{
    int Step(Mark mark);
}

abstract class Stair : IStep
{
    public virtual int Step(Mark mark) => mark.Seen;
}

sealed class Landing : Stair
{
    public override int Step(Mark mark)
    {
        Func<Mark, int> calls = static m => m.Seen;
        calls += Calls.Target;
        return calls(mark) + base.Step(mark);
    }
}

/// Code that many types share, and that only its hidden argument tells apart.
class Shared<T>
{
    public T? Value;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Of<U>(T item, U other)
    {
        Value = item;
        object list = new List<U> { other };
        Threads.Rest();
        GC.KeepAlive(list);
        return typeof(T) == typeof(U) ? 1 : 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Static(T item)
    {
        object array = new T[3];
        Threads.Rest();
        GC.KeepAlive(array);
        GC.KeepAlive(item);
        return 1;
    }
}

/// Never begins to exist: its constructor waits for ever.
static class Late
{
    static readonly Mark first = Begin();

    static Mark Begin()
    {
        var mark = new Mark("in the static constructor");
        Threads.Rest();
        return mark;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Use(Mark argument) => first.Seen + argument.Seen;
}

/// Ways from one method into the next.
static class Calls
{
    public static void Plant()
    {
        Threads.Start("shared method", "Thread.Sleep", () => new Shared<Mark>().Of(new Mark("shared item"), "other"),
                      ["Stacks.Shared<Stacks.Mark>.Of<System.String>"], ["shared item"]);
        Threads.Start("shared static method", "Thread.Sleep", () => Shared<string[]>.Static(["shared static item"]),
                      ["Stacks.Shared<System.String[]>.Static"]);
        Threads.Start("unshared method", "Thread.Sleep", () => new Shared<int>().Of(5, 7L),
                      ["Stacks.Shared<System.Int32>.Of<System.Int64>"]);
        Threads.Start("virtual and delegate", "Thread.Sleep", () => Through(new Landing()),
                      ["Stacks.Calls.Target", "Stacks.Landing.Step", "Stacks.Calls.Through"], ["through all calls"]);
        Threads.Start("static constructor", "Thread.Sleep", () => Late.Use(new Mark("for the late one")),
                      ["Stacks.Late.Begin", "Stacks.Late..cctor"], ["in the static constructor", "for the late one"]);
        Threads.Start("iterator", "Thread.Sleep", Iterate, ["Stacks.Calls.Steps", "Stacks.Calls.Iterate"], ["in the iterator"]);
        Threads.Start("tail call", "Thread.Sleep", () => Before(new Mark("handed over")), ["Stacks.Calls.After"], ["handed over"]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Through(IStep step)
    {
        var mark = new Mark("through all calls");
        int seen = step.Step(mark);
        GC.KeepAlive(mark);
        return seen;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Target(Mark mark)
    {
        Threads.Rest();
        return mark.Seen;
    }

    static void Iterate()
    {
        foreach (int step in Steps(new Mark("in the iterator"))) GC.KeepAlive(step);
    }

    static IEnumerable<int> Steps(Mark mark)
    {
        yield return 1;
        Threads.Rest();
        yield return mark.Seen;
    }

    // Optimized code leaves nothing of this on the stack: what it calls returns to its caller.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int Before(Mark mark) => After(mark, mark.Seen);

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int After(Mark mark, int seen)
    {
        Threads.Rest();
        return mark.Seen + seen;
    }
}
