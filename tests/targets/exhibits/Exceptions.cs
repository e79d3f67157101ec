// SPDX-License-Identifier: MIT
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Museum;

/// <summary>Exceptions thrown and kept: with causes, from deep calls, thrown twice, of several at once.</summary>
static class Exceptions
{
    static readonly Exception thrown = Catch(() => Deep(4)), withInner = Catch(Wrap), rethrown = Catch(() => ExceptionDispatchInfo.Throw(thrown));
    static readonly Exception fromLibrary = Catch(() => int.Parse("no number")), fromHardware = Catch(() => Divide(1, 0)), fromGeneric = Catch(() => Fail<string>.With(7));
    static readonly Exception neverThrown = new ArgumentException("never thrown", "parameter"), withoutMessage = new Exception();
    static readonly AggregateException several = (AggregateException)Catch(() => throw new AggregateException("several", new InvalidOperationException("one"), new TimeoutException("two")));

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Deep(int depth) => depth == 0 ? throw new InvalidOperationException("from the deep") : Deep(depth - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Divide(int dividend, int divisor) => dividend / divisor;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Wrap()
    {
        try { Deep(1); }
        catch (InvalidOperationException cause) { throw new IOException("wrapped", cause) { HResult = unchecked((int)0x80071234) }; }
    }

    static class Fail<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void With<U>(U value) => throw new NotSupportedException($"{typeof(T)} {value}");
    }

    static Exception Catch(Action action)
    {
        try { action(); }
        catch (Exception exception) { return exception; }
        throw new UnreachableException();
    }

    public static List<Account> Describe()
    {
        var accounts = new List<Account>();
        foreach (var (path, _, content) in Exhibit.Of(typeof(Exceptions))) accounts.Add(OfException((Exception)content!).Add("path", path));
        return accounts;
    }

    static Account OfException(Exception exception)
    {
        Account account = new Account().Add("type", Names.Of(exception.GetType())).Add("message", exception.Message).Add("hresult", $"0x{exception.HResult:x8}");
        account.Add("stack", new StackTrace(exception).GetFrames().Select(frame => Names.Of(frame.GetMethod()!)));
        if (exception is AggregateException aggregate) account.Add("innerExceptions", aggregate.InnerExceptions.Select(OfException));
        return account.Add("inner", exception.InnerException is { } inner ? OfException(inner) : null);
    }
}
