// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

struct Couple
{
    public Mark First, Second;
}

struct Crowd
{
    public long Before;
    public Couple Couple;
    public decimal Between;
    public Mark Last;
}

ref struct View
{
    public Span<int> Numbers;
    public ref Mark Place;
    public Mark Plain;
}

/// Where a method can keep what it refers to.
static class Locals
{
    const MethodImplOptions Optimized = MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

    public static void Plant()
    {
        Threads.Start("registers", "Thread.Sleep", () => Registers(new Mark("register argument")), ["Stacks.Locals.Registers"],
                      ["register argument", "register local"]);
        Threads.Start("slots", "Thread.Sleep", () => Slots(), ["Stacks.Locals.Slots"], [.. Enumerate("slot ", 10)]);
        Threads.Start("interior", "Thread.Sleep", () => Interior(), ["Stacks.Locals.Interior"], ["holds the place", "element"]);
        Threads.Start("span", "Thread.Sleep", Spans, ["Stacks.Locals.UseView", "Stacks.Locals.Spans"], ["view plain", "view element"]);
        Threads.Start("pinned", "Thread.Sleep", Pinned, ["Stacks.Locals.Pinned"]);
        Threads.Start("struct arguments", "Thread.Sleep", StructArguments, ["Stacks.Locals.TakeStructs", "Stacks.Locals.StructArguments"],
                      ["couple first", "couple second", "crowd first", "crowd last", "behind structs"]);
        Threads.Start("stackalloc", "Thread.Sleep", () => Allocated(3000), ["Stacks.Locals.Allocated"], ["beside stackalloc"]);
        Threads.Start("recursion", "Thread.Sleep", () => Recursion(30, new Mark("outermost")), ["Stacks.Locals.Recursion"],
                      [.. Enumerate("depth ", 30), "outermost"]);
    }

    /// An object that words of a stack lead to, but nothing that lives; for a collection would take it away.
    public static void PlantDead() =>
        Threads.Start("dead words", "Thread.Sleep", () => Remember(), ["Stacks.Locals.RestAbove", "Stacks.Locals.Remember"], [], ["buried"]);

    static IEnumerable<string> Enumerate(string name, int count)
    {
        for (int i = 0; i < count; i++) yield return name + i;
    }

    [MethodImpl(Optimized)]
    static int Registers(Mark argument)
    {
        var local = Mark.Of("register local");
        Threads.Rest();
        return argument.Seen + local.Seen;
    }

    [MethodImpl(Optimized)]
    static int Remember()
    {
        int seen = RestAbove(1500, false);  // compiling it would tread on what is left behind
        seen += Bury(Mark.Of("buried"), 10);  // the last that is wanted of it
        return seen + RestAbove(1500, true);
    }

    // Leaves words behind on the stack, and the next one does not clear its own part of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Bury(Mark mark, int depth) => depth == 0 ? mark.Seen : Bury(mark, depth - 1) + mark.Seen;

    [SkipLocalsInit]
    [MethodImpl(Optimized)]
    static unsafe int RestAbove(int bytes, bool rest)
    {
        byte* buried = stackalloc byte[bytes];
        if (rest) Threads.Rest();
        return *buried;
    }

    // More than there are registers that survive a call.
    [MethodImpl(Optimized)]
    static int Slots()
    {
        Mark a = Mark.Of("slot 0"), b = Mark.Of("slot 1"), c = Mark.Of("slot 2"), d = Mark.Of("slot 3"), e = Mark.Of("slot 4");
        Mark f = Mark.Of("slot 5"), g = Mark.Of("slot 6"), h = Mark.Of("slot 7"), i = Mark.Of("slot 8"), j = Mark.Of("slot 9");
        Threads.Rest();
        return a.Seen + b.Seen + c.Seen + d.Seen + e.Seen + f.Seen + g.Seen + h.Seen + i.Seen + j.Seen;
    }

    // Nothing but references to the inside holds these three.
    [MethodImpl(Optimized)]
    static int Interior()
    {
        ref int number = ref Mark.Of("holds the place").Seen;
        ref Mark element = ref Marks("other", "element")[1];
        ref long middle = ref (new long[64])[40];
        Threads.Rest();
        return number + element.Seen + (int)middle;
    }

    static Mark[] Marks(params string[] names) => Array.ConvertAll(names, static name => new Mark(name));

    static void Spans()
    {
        var view = new View { Numbers = new int[20].AsSpan(3, 5), Plain = new Mark("view plain") };
        view.Place = ref Marks("other", "view element")[1];
        UseView(ref view);
        GC.KeepAlive(view.Plain);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void UseView(ref View view)
    {
        Threads.Rest();
        view.Numbers[0] = view.Place.Seen;
    }

    static unsafe void Pinned()
    {
        string text = string.Concat("pinned ", "text");
        var numbers = new int[10];
        fixed (char* letter = text)
        fixed (int* number = &numbers[3])
        {
            Threads.Rest();
            *number = *letter;
        }
    }

    static void StructArguments()
    {
        var couple = new Couple { First = new Mark("couple first"), Second = new Mark("couple second") };
        var crowd = new Crowd { Couple = { First = new Mark("crowd first") }, Last = new Mark("crowd last") };
        TakeStructs(couple, 1.5, crowd, 2.5f, new Mark("behind structs"));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void TakeStructs(Couple couple, double real, Crowd crowd, float small, Mark behind)
    {
        Threads.Rest();
        GC.KeepAlive(couple.First);
        GC.KeepAlive(couple.Second);
        GC.KeepAlive(crowd.Couple.First);
        GC.KeepAlive(crowd.Last);
        GC.KeepAlive(behind);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Allocated(int bytes)
    {
        Span<byte> scratch = stackalloc byte[bytes];
        var mark = new Mark("beside stackalloc");
        scratch[5] = 1;
        Threads.Rest();
        return mark.Seen + scratch[5];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Recursion(int left, Mark outer)
    {
        if (left == 0)
        {
            Threads.Rest();
            return outer.Seen;
        }
        int sum = Recursion(left - 1, new Mark("depth " + (left - 1)));
        return sum + outer.Seen;
    }
}
