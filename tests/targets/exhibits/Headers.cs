// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Museum;

/// <summary>Objects whose headers are used in every way, each with what its four bytes read.</summary>
static class Headers
{
    static readonly object plain = new Painting("plain"), locked = new Painting("locked"), nested = new Painting("nested"), deep = new Painting("deep"), inflated = new Painting("inflated");
    static readonly object hashed = new Painting("hashed"), hashedThenLocked = new Painting("hashed, then locked"), hashedThenReleased = new Painting("hashed, then locked and released");
    static readonly object lockedThenHashed = new Painting("locked, then hashed"), released = new Painting("released"), suppressed = new Finalizable();
    static readonly object lockedByOther = new Painting("locked by another thread"), awaited = new Painting("awaited");
    static readonly string hashedString = new('h', 5);
    static readonly List<(object Subject, int Code)> hashes = [];

    /// <summary>The locks of this thread stay held for good.</summary>
    public static void Fill()
    {
        Enter(locked, 1);
        Enter(nested, 3);
        Enter(deep, 64);
        Enter(inflated, 65);
        Hash(hashed);
        Hash(hashedThenLocked);
        Enter(hashedThenLocked, 2);
        Hash(hashedThenReleased);
        lock (hashedThenReleased) { }
        Enter(lockedThenHashed, 1);
        Hash(lockedThenHashed);
        lock (released) { }
        GC.SuppressFinalize(suppressed);
        Hash(hashedString);  // a string's own hash code does not go into its header, this one does
        Enter(awaited, 1);
        Start("locker", entered => { lock (lockedByOther) { entered.Set(); Thread.Sleep(Timeout.Infinite); } });
        Start("waiter", entered => { entered.Set(); lock (awaited) { } });
        Thread.Sleep(500);  // nothing tells when a thread has begun to wait
    }

    public static List<Account> Describe()
    {
        var accounts = new List<Account>();
        foreach (var (path, _, content) in Exhibit.Of(typeof(Headers)))
        {
            if (content is not List<(object, int)>) accounts.Add(OfHeader(path, content!));
        }
        return accounts;
    }

    static Account OfHeader(string path, object content)
    {
        bool isHeld = Monitor.IsEntered(content);  // which may change its header (.NET 11)
        Account account = new Account().Add("path", path).Add("type", Names.Of(content.GetType())).Add("header", $"0x{ReadHeader(content):x8}");
        foreach (var (subject, code) in hashes)
        {
            if (ReferenceEquals(subject, content)) account.Add("hashCode", code);
        }
        return account.Add("heldByMain", isHeld).Add("mainThreadId", Environment.CurrentManagedThreadId);
    }

    static void Enter(object subject, int times)
    {
        for (int i = 0; i < times; i++) Monitor.Enter(subject);
    }

    static void Hash(object subject) => hashes.Add((subject, RuntimeHelpers.GetHashCode(subject)));

    static void Start(string name, Action<ManualResetEventSlim> body)
    {
        var entered = new ManualResetEventSlim();
        new Thread(() => body(entered)) { IsBackground = true, Name = name }.Start();
        entered.Wait();
    }

    /// <summary>The word in front of the method table pointer.</summary>
    static unsafe uint ReadHeader(object subject) => *(uint*)(*(byte**)Unsafe.AsPointer(ref subject) - 4);

    sealed class Finalizable
    {
        ~Finalizable() => Console.WriteLine("finalized");
    }
}
