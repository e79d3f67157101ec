// SPDX-License-Identifier: MIT
using Flaws;

namespace Callbacks;

/// Async methods that wait for the next tick of a timer of their own, for ever.
static class Ticking
{
    sealed class Poller(int number)
    {
        readonly byte[] data = Apart.Bytes(900, number);

        public async Task Run()
        {
            using PeriodicTimer timer = new(TimeSpan.FromHours(1));
            while (await timer.WaitForNextTickAsync()) GC.KeepAlive(data);
        }
    }

    sealed class Service(int number)
    {
        readonly byte[] data = Apart.Bytes(900, number);

        public async Task Run()
        {
            using PeriodicTimer timer = new(TimeSpan.FromHours(1));
            while (await timer.WaitForNextTickAsync()) GC.KeepAlive(data);
        }
    }

    static readonly List<Task> running = new(20);  // whoever has the task has the timer

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 12; i++) _ = new Poller(i).Run();
        for (int i = 0; i < 20; i++) running.Add(new Service(i).Run());
    });
}
