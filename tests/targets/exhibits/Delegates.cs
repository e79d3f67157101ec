// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Museum;

interface IStamp { int Stamp(int page); }

sealed class Clerk(string name) : IStamp
{
    readonly string name = name;
    public int Stamp(int page) => page + name.Length;
    public void Notify(object? sender, EventArgs arguments) { }
    public T Repeat<T>(T value) => value;
    public static int Count(string text) => text.Length;
    public static void Shout(object? sender, EventArgs arguments) { }
    public static T Echo<T>(T value) => value;
}

static class Extensions
{
    public static int Length(this Clerk clerk, int more) => more;
}

/// <summary>Delegates to methods of every sort.</summary>
static class Delegates
{
    static readonly Clerk clerk = new("Anna");
    static readonly IStamp stamp = new Clerk("Berta");
    static readonly int captured = Environment.ProcessId;

    static readonly Func<int, int> instance = clerk.Stamp, throughInterface = stamp.Stamp, closedStatic = clerk.Length;
    static readonly Func<string, int> openStatic = Clerk.Count;
    static readonly Func<Clerk, int, int> openInstance = (Func<Clerk, int, int>)Delegate.CreateDelegate(typeof(Func<Clerk, int, int>), typeof(Clerk).GetMethod("Stamp")!);
    static readonly Func<string, string> genericMethod = clerk.Repeat<string>, genericStatic = Clerk.Echo<string>;
    static readonly Func<int, int> genericOfInt = clerk.Repeat<int>;
    static readonly Func<int> lambda = static () => 5, closure = Closure(6);
    static readonly Func<string> virtualMethod = new Painting("told").ToString;
    static EventHandler? multicast;

    static Delegates()
    {
        multicast += clerk.Notify;
        multicast += Clerk.Shout;
        multicast += (_, _) => { };
        foreach (Delegate made in new Delegate[] { instance, throughInterface, closedStatic, openStatic, genericMethod, genericStatic, genericOfInt, lambda, closure, virtualMethod, multicast! })
            RuntimeHelpers.PrepareDelegate(made);
        instance(1);
        openStatic("x");
        lambda();
        closure();
        multicast!(clerk, EventArgs.Empty);
    }

    static Func<int> Closure(int value) => () => value + captured;

    public static List<Account> Describe()
    {
        var accounts = new List<Account>();
        foreach (var (path, _, content) in Exhibit.Of(typeof(Delegates)))
        {
            if (content is Delegate made)
                accounts.Add(new Account().Add("path", path).Add("type", Names.Of(made.GetType())).Add("calls", made.GetInvocationList().Select(OfCall)));
        }
        return accounts;
    }

    /// <summary>Target is what the call binds as its first argument: null for open methods.</summary>
    static Account OfCall(Delegate call) => new Account().Add("method", Names.Of(call.Method)).Add("name", call.Method.Name).Add("declaringType", Names.Of(call.Method.DeclaringType!))
        .Add("target", call.Target is { } target ? Names.Of(target.GetType()) : null).Add("isStatic", call.Method.IsStatic);
}
