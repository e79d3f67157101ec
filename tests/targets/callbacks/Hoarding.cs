// SPDX-License-Identifier: MIT
using Flaws;

namespace Callbacks;

/// What a thread keeps for itself.
static class Hoarding
{
    [ThreadStatic] static List<byte[]>? mine;

    public static void Plant()
    {
        ManualResetEventSlim ready = new();
        new Thread(() =>
        {
            Fill();
            ready.Set();
            Thread.Sleep(Timeout.Infinite);
        }) { IsBackground = true }.Start();
        ready.Wait();
    }

    static void Fill()
    {
        mine = new(1500);
        for (int i = 0; i < 1500; i++) mine.Add(Apart.Bytes(1000, i));
    }
}
