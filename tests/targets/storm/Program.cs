// SPDX-License-Identifier: MIT
// Four threads that never stop allocating: a dump of them shows allocation contexts in use, or a collection half done.
const int threads = 4, kept = 400;

for (int i = 0; i < threads; i++)
{
    var random = new Random(i);
    new Thread(() => Allocate(random)) { IsBackground = true, Name = "gust " + i }.Start();
}
Thread.Sleep(1000);
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);

static void Allocate(Random random)
{
    var ring = new Drop[kept];
    for (int i = 0; ; i = (i + 1) % kept)
    {
        // One that is bigger than the usual allocation context gets one of exactly its size, which is full at once.
        int size = i % 12 == 0 ? 10_000 : random.Next(0, 120);
        ring[i] = new Drop(random.Next(), new byte[size], ring[random.Next(kept)] is { } other ? other with { Next = null } : null);
    }
}

record Drop(int Number, byte[] Splash, Drop? Next);
