// SPDX-License-Identifier: MIT
// A program that is dumped twice: early, and with GROWTH_LATER set later, when it has leaked. Built with REBUILT it is the
// next version of itself: a type has other fields, one is new, one is gone, closures have other numbers.
using System.Runtime.InteropServices;
using Growth;

bool later = Environment.GetEnvironmentVariable("GROWTH_LATER") != null;
Server.Run(later);
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);

namespace Growth
{
    static class Server
    {
        static readonly List<Session> sessions = new(32_768);  // never shortened: the planted leak
        static readonly List<object> kept = [];
        static readonly List<GCHandle> pinned = [];
        static readonly List<Thread> workers = [];

        public static void Run(bool later)
        {
            for (int i = 0; i < (later ? 21_000 : 1_000); i++)
                sessions.Add(new Session { Id = i });
            for (int i = 0; i < (later ? 100 : 500); i++)
                kept.Add(new Draft());
            for (int i = 0; i < 300; i++)
                kept.Add(new Account { Id = i });
            // The same text again and again, each a string of its own.
            for (int i = 0; i < (later ? 2_000 : 200); i++)
                kept.Add(new string("plan: standard".AsSpan()));
            for (int i = 0; i < (later ? 10 : 3); i++)
                pinned.Add(GCHandle.Alloc(new byte[16], GCHandleType.Pinned));
            for (int i = 0; i < (later ? 4 : 2); i++)
                Work($"worker {i}");
            Forms();
        }

        static void Forms()
        {
#if REBUILT
            Func<int> before = Counter(7);  // moves the numbers of the closures behind it
            kept.Add(before);
            for (int i = 0; i < 50; i++)
                kept.Add(new NewForm());
#else
            for (int i = 0; i < 40; i++)
                kept.Add(new OldForm());
#endif
            for (int i = 0; i < 20; i++)
                kept.Add(Counter(i));
        }

        static Func<int> Counter(int from)
        {
            int count = from;
            return () => ++count;
        }

        static void Work(string name)
        {
            var worker = new Thread(() => Thread.Sleep(Timeout.Infinite)) { Name = name, IsBackground = true };
            worker.Start();
            workers.Add(worker);
        }
    }

    /// <summary>104 bytes: header, method table, eleven fields of eight bytes.</summary>
    sealed class Session
    {
        public long Id, Opened, Touched, Closed, Requests, Sent, Received, Errors, Retries, Limit, Reserved;
    }

    sealed class Draft
    {
        public long First, Second, Third;
    }

    /// <summary>Rebuilt: one field more, one gone, one wider.</summary>
    sealed class Account
    {
#if REBUILT
        public long Id;
        public decimal Discount;
        public bool Active;
#else
        public int Id;
        public short Code;
        public bool Active;
#endif
    }

#if REBUILT
    sealed class NewForm
    {
        public long Version;
    }
#else
    sealed class OldForm
    {
        public long Version;
    }
#endif
}
