// SPDX-License-Identifier: MIT
namespace Flaws;

/// Objects that wait for their finalizers: since one of these waits for a lock, and since nobody disposed of them. From
/// here on no finalizer runs, and there must be no further collection.
static class LeakByFinalizers
{
    sealed class Stubborn(int number)
    {
        readonly byte[] data = Apart.Bytes(300, number);

        ~Stubborn()
        {
            isWaiting = true;
            lock (gate) GC.KeepAlive(data);
        }
    }

    sealed class Connection(int number) : IDisposable
    {
        readonly byte[] buffer = Apart.Bytes(500, number);
        readonly Channel channel = new();
        ~Connection() => GC.KeepAlive(buffer);

        public void Dispose()
        {
            channel.Dispose();
            GC.SuppressFinalize(this);
        }
    }

    /// Belongs to a connection, and is disposed with it.
    sealed class Channel : IDisposable
    {
        ~Channel() { }
        public void Dispose() => GC.SuppressFinalize(this);
    }

    static readonly object gate = new();
    static readonly List<Connection> inUse = new(50);
    static volatile bool isWaiting;

    public static void Plant()
    {
        HoldGate();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Block();
        Apart.Shield();
        LeaveUndisposed();
    }

    static void HoldGate()
    {
        using ManualResetEvent isHeld = new(false);
        new Thread(() =>
        {
            lock (gate)
            {
                isHeld.Set();
                Thread.Sleep(Timeout.Infinite);
            }
        }) { IsBackground = true }.Start();
        isHeld.WaitOne();
    }

    static void Block()
    {
        Apart.Run(() =>
        {
            for (int i = 0; i < 121; i++) new Stubborn(i);
        });
        GC.Collect(0);  // older objects with finalizers, of .NET itself, stay out of it
        while (!isWaiting) Thread.Sleep(10);
        Thread.Sleep(300);  // until it waits for the lock
        // The finalizer thread has taken one of them; from .NET 11 on there is a handle of a thread that has ended, too.
        int handles = Environment.Version.Major >= 11 ? 1 : 0;
        Planted.Say("finalizerBehind", "finalizer thread", 120 + handles, 120 * (Planted.Object(8) + Planted.Array(300, 1)) + handles * Planted.Object(16));
    }

    static void LeaveUndisposed() => Apart.Run(() =>
    {
        for (int i = 0; i < 150; i++)
        {
            new Connection(i);
            if (i % 3 == 0) inUse.Add(new Connection(i));
            if (i % 3 == 1) new Connection(i).Dispose();
        }
        Planted.Say("undisposedFinalizables", "Flaws.LeakByFinalizers+Connection", 150, 150 * (Planted.Object(16) + Planted.Array(500, 1) + Planted.Object(0)));
    });
}
