// SPDX-License-Identifier: MIT
namespace Flaws;

/// Objects that only a timer still holds, which they hold themselves.
static class LeakByTimer
{
    sealed class Poller
    {
        readonly byte[] buffer;
        readonly Timer timer;

        public Poller(int number)
        {
            buffer = Apart.Bytes(2000, number);
            timer = new Timer(Tick, null, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        }

        void Tick(object? state) => GC.KeepAlive(buffer);
        public void Stop() => timer.Dispose();
    }

    /// As many as these are worth a look although the program could stop them.
    sealed class Clock
    {
        readonly int number;
        readonly Timer timer;

        public Clock(int number)
        {
            this.number = number;
            timer = new Timer(Strike, null, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        }

        void Strike(object? state) => GC.KeepAlive(number);
    }

    static readonly List<Poller> inUse = new(20);
    static readonly Clock[] clocks = new Clock[120];

    /// So that its thread is there before anything is planted.
    public static void Start()
    {
        Apart.Run(() => new Timer(_ => { }, null, 1, Timeout.Infinite).Dispose());
        Thread.Sleep(100);
    }

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 50; i++)
        {
            new Poller(i);
            if (i % 5 < 2) inUse.Add(new Poller(i));
            if (i % 5 == 2) new Poller(i).Stop();
        }
        for (int i = 0; i < clocks.Length; i++) clocks[i] = new Clock(i);
        // Delegate, Timer, TimerHolder, TimerQueueTimer; with a Poller also itself and its buffer
        long each = Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Object(8) + Planted.Object(80);
        Planted.Say("timerLeak", "Flaws.LeakByTimer+Poller.Tick", 50, 50 * (Planted.Object(16) + Planted.Array(2000, 1) + each));
        Planted.Say("timerLeak", "Flaws.LeakByTimer+Clock.Strike", clocks.Length, clocks.Length * each, "Flaws.LeakByTimer+Clock");
    });
}
