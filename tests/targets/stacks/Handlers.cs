// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

/// Handlers, filters and finally blocks that run while their thread is dumped.
static class Handlers
{
    public static void Plant()
    {
        Threads.Start("catch", "Thread.Sleep", Catch, ["Stacks.Handlers.Catch"], ["outside of catch", "inside of catch"], ["thrown away"]);
        Threads.Start("catch of a null reference", "Thread.Sleep", CatchNullReference, ["Stacks.Handlers.CatchNullReference"],
                      ["beside null"]);
        Threads.Start("catch in a catch", "Thread.Sleep", CatchTwice, ["Stacks.Handlers.CatchTwice"], ["first handler", "second handler"]);
        Threads.Start("finally", "Thread.Sleep", Finally, ["Stacks.Handlers.Unwinding", "Stacks.Handlers.Finally"],
                      ["inside of finally", "outside of finally"]);
        Threads.Start("finally without exception", "Thread.Sleep", FinallyAlone, ["Stacks.Handlers.FinallyAlone"], ["in peace"]);
        Threads.Start("filter", "Thread.Sleep", Filter, ["Stacks.Handlers.Decide", "Stacks.Handlers.Filter"],
                      ["inside of filter", "outside of filter"]);
        Threads.Start("rethrow", "Thread.Sleep", Rethrow, ["Stacks.Handlers.Rethrow"], ["thrown again"]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throw(Mark mark)
    {
        var own = new Mark("thrown away");
        if (mark.Seen == 0) throw new InvalidOperationException(mark.Name);
        GC.KeepAlive(own);
    }

    static void Catch()
    {
        var outside = new Mark("outside of catch");
        try { Throw(outside); }
        catch (InvalidOperationException exception)
        {
            var inside = new Mark("inside of catch");
            Threads.Rest();
            GC.KeepAlive(inside);
            GC.KeepAlive(exception);
        }
        GC.KeepAlive(outside);
    }

    static void CatchNullReference()
    {
        var beside = new Mark("beside null");
        try { beside.Seen = Look(null!); }
        catch (NullReferenceException exception)
        {
            Threads.Rest();
            GC.KeepAlive(exception);
        }
        GC.KeepAlive(beside);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Look(Mark nothing) => nothing.Seen;

    static void CatchTwice()
    {
        try { Throw(new Mark("once")); }
        catch (InvalidOperationException once)
        {
            var first = new Mark("first handler");
            try { throw new ArgumentException("twice", once); }
            catch (ArgumentException twice)
            {
                var second = new Mark("second handler");
                Threads.Rest();
                GC.KeepAlive(second);
                GC.KeepAlive(twice);
            }
            GC.KeepAlive(first);
        }
    }

    static void Finally()
    {
        var outside = new Mark("outside of finally");
        try { Unwinding(outside); }
        catch (InvalidOperationException exception) { GC.KeepAlive(exception); }
        GC.KeepAlive(outside);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Unwinding(Mark mark)
    {
        try { Throw(mark); }
        finally
        {
            var inside = new Mark("inside of finally");
            Threads.Rest();
            GC.KeepAlive(inside);
        }
    }

    static void FinallyAlone()
    {
        var mark = new Mark("in peace");
        try { mark.Seen++; }
        finally
        {
            Threads.Rest();
            GC.KeepAlive(mark);
        }
    }

    static void Filter()
    {
        var outside = new Mark("outside of filter");
        try { Throw(outside); }
        catch (Exception exception) when (Decide(exception, outside)) { GC.KeepAlive(outside); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Decide(Exception exception, Mark mark)
    {
        var inside = new Mark("inside of filter");
        Threads.Rest();
        GC.KeepAlive(inside);
        return exception.Message == mark.Name;
    }

    static void Rethrow()
    {
        var mark = new Mark("thrown again");
        try
        {
            try { Throw(mark); }
            catch (InvalidOperationException)
            {
                mark.Seen++;
                throw;
            }
            finally { Threads.Rest(); }
        }
        catch (InvalidOperationException) { GC.KeepAlive(mark); }
    }
}
