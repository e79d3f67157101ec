// SPDX-License-Identifier: MIT
using Flaws;

namespace Callbacks;

/// Callbacks that were registered with a token that lives as long as the program.
static class Tokens
{
    sealed class Request(int number)
    {
        readonly byte[] body = Apart.Bytes(1000, number);
        public void Abort() => GC.KeepAlive(body);
    }

    sealed class Job(int number)
    {
        readonly byte[] data = Apart.Bytes(500, number);
        public void Stop() => GC.KeepAlive(data);
    }

    sealed class Session(int number)
    {
        readonly byte[] data = Apart.Bytes(200, number);
        public void End() => GC.KeepAlive(data);
    }

    const int NodeFields = 64;    // of what a source links its callbacks with: seven references and a number
    const int SourceFields = 48;  // of a source that is linked to one token

    static readonly CancellationTokenSource stopping = new();
    static readonly CancellationTokenSource shutdown = new();
    static readonly List<CancellationTokenRegistration> sessions = new(40);

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 60; i++) stopping.Token.Register(new Request(i).Abort);
        for (int i = 0; i < 40; i++) stopping.Token.Register(static job => ((Job)job!).Stop(), new Job(i));
        for (int i = 0; i < 30; i++) CancellationTokenSource.CreateLinkedTokenSource(shutdown.Token);
        long node = Planted.Object(NodeFields);
        Say("stopping", typeof(Request).FullName!, 60, 60 * (node + Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Array(1000, 1)));
        Say("stopping", typeof(Job).FullName!, 40, 40 * (node + Planted.Object(8) + Planted.Array(500, 1)));
        Say("shutdown", "System.Threading.CancellationTokenSource+Linked1CancellationTokenSource", 30, 30 * (node + Planted.Object(SourceFields)));
        PlantInnocents();
    });

    static void PlantInnocents()
    {
        for (int i = 0; i < 40; i++) sessions.Add(stopping.Token.Register(new Session(i).End));  // can still be disposed of
        for (int i = 0; i < 40; i++) stopping.Token.Register(new Session(i).End).Dispose();
    }

    static void Say(string field, string target, int objects, long bytes) =>
        Planted.Say("delegateLeak", $"static Callbacks.Tokens.{field} → {target}", objects, bytes, $"static Callbacks.Tokens.{field}");
}
