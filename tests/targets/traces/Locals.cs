// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Traces;

sealed record Session(string User);

struct Point
{
    public int X, Y;
}

/// What each thread, or each async method, has for itself.
static class Locals
{
    static readonly ThreadLocal<int> number = new(() => 7, trackAllValues: true);
    static readonly ThreadLocal<Session> session = new(() => new Session("nobody"));
    static readonly ThreadLocal<Point> point = new();
    static readonly ThreadLocal<string> unused = new(() => "unused");
    static readonly AsyncLocal<string> request = new();
    static readonly AsyncLocal<int>[] many = [new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new(), new()];
    static readonly AsyncLocal<Session> last = new();
    [ThreadStatic] static string? plain;
    static readonly List<Task> tasks = [];
    static readonly TaskCompletionSource never = new();

    public static void Plant()
    {
        using var done = new CountdownEvent(3);
        for (int i = 1; i <= 3; i++)
        {
            int n = i;
            var thread = new Thread(() =>
            {
                number.Value = 100 * n;
                session.Value = new Session($"user {n}");
                if (n > 1) point.Value = new Point { X = n, Y = -n };
                request.Value = $"request {n}";
                for (int k = 0; k < many.Length && n == 3; k++) many[k].Value = k;
                for (int k = 0; k < n && n < 3; k++) many[k].Value = k;
                plain = $"plain {n}";
                Planted.Say(new { local = n, managedId = Environment.CurrentManagedThreadId });
                tasks.Add(Serve(n));
                done.Signal();
                Thread.Sleep(Timeout.Infinite);
            })
            { IsBackground = true, Name = $"locals {n}" };
            thread.Start();
            SpinWait.SpinUntil(() => done.CurrentCount == 3 - n);
        }
        var ended = new Thread(() => number.Value = 4711);
        ended.Start();
        ended.Join();
        GC.KeepAlive(unused);
    }

    static async Task Serve(int n)
    {
        last.Value = new Session($"served {n}");
        await never.Task;
        GC.KeepAlive(last.Value);
    }
}
