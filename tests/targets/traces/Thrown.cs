// SPDX-License-Identifier: MIT
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Traces;

sealed class TracesException(string message, Exception? inner = null) : Exception(message, inner);

/// Exceptions and what .NET itself says of their stacks.
static class Thrown
{
    public static List<Exception> Plant()
    {
        List<Exception> all = [];
        void Keep(string name, Exception exception)
        {
            all.Add(exception);
            Planted.Say(new { exception = name, type = exception.GetType().FullName, message = exception.Message, trace = exception.StackTrace });
        }
        Keep("plain", Caught(() => Throw("plain")));
        Keep("null reference", Caught(() => Length(null)));
        Keep("rethrown", Caught(Rethrow));
        Keep("thrown again", Caught(ThrowAgain));
        Keep("awaited", Caught(() => Outer().GetAwaiter().GetResult()));
        Keep("remote", Caught(Remote));
        Keep("wrapped", Caught(Wrap));
        Keep("aggregate", Caught(Several));
        Keep("dynamic", Caught(Emitted()));
        Keep("generic", Caught(Generic<string>.Throw<int>));
        Keep("never thrown", new TracesException("never thrown"));
        for (int i = 0; i < 5; i++) all.Add(Caught(() => Throw("many")));
        for (int i = 0; i < 3; i++) all.Add(new TracesException("many"));
        return all;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Exception Caught(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception)
        {
            return exception;
        }
        throw new InvalidOperationException("nothing was thrown");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throw(string message)
    {
        if (message.Length > 0)
            throw new TracesException(message);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Length(string? text)
    {
        Planted.Exceptions.Capacity = 64;
        GC.KeepAlive(text!.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Rethrow()
    {
        try
        {
            Throw("rethrown");
        }
        catch (TracesException)
        {
            GC.KeepAlive(null);
            throw;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ThrowAgain()
    {
        ExceptionDispatchInfo? info = null;
        try
        {
            Throw("thrown again");
        }
        catch (TracesException exception)
        {
            info = ExceptionDispatchInfo.Capture(exception);
        }
        info!.Throw();
    }

    static async Task Outer()
    {
        await Middle();
    }

    static async Task Middle()
    {
        await Task.Yield();
        await Inner();
    }

    static async Task Inner()
    {
        await Task.Yield();
        throw new TracesException("awaited");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Remote()
    {
        var exception = new TracesException("remote");
        ExceptionDispatchInfo.SetRemoteStackTrace(exception, "   at Elsewhere.Far.Away()\n   at Elsewhere.Near.By()\n");
        throw exception;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Wrap()
    {
        try
        {
            Throw("innermost");
        }
        catch (TracesException innermost)
        {
            throw new InvalidOperationException("outer", new TracesException("middle, never thrown", innermost));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Several()
    {
        Task[] tasks =
        [
            Task.Run(() => Throw("first of several")),
            Task.Run(() => Length(null)),
            Task.Run(Rethrow),
        ];
        Task.WaitAll(tasks);
    }

    static Action Emitted()
    {
        var method = new DynamicMethod("ThrowEmitted", null, null, typeof(Thrown).Module);
        ILGenerator code = method.GetILGenerator();
        code.Emit(OpCodes.Ldstr, "dynamic");
        code.Emit(OpCodes.Ldnull);
        code.Emit(OpCodes.Newobj, typeof(TracesException).GetConstructors()[0]);
        code.Emit(OpCodes.Throw);
        return method.CreateDelegate<Action>();
    }

    static class Generic<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Throw<U>() => Thrown.Throw("generic");
    }
}
