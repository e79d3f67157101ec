// SPDX-License-Identifier: MIT
// Collections of every kind, gaps with something pinned between them and a finalizer that does not come back; then what
// the GC says of itself, as lines of JSON. COLLECTOR=oom runs out of memory first, COLLECTOR=storm never stops.
using System.Globalization;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

const int pieces = 2000;
string plan = Environment.GetEnvironmentVariable("COLLECTOR") ?? "";

var kept = new List<object>();
var pins = new List<GCHandle>();
Scatter(kept, pins);
GC.Collect(0);
GC.Collect(1);
GC.Collect(0);
Leave();
GC.Collect();
if (GCSettings.LatencyMode != GCLatencyMode.Batch)
{
    GC.Collect(2, GCCollectionMode.Default, false);
    Thread.Sleep(500);  // a background collection
}
for (int i = 0; i < 5; i++)
{
    Scatter(kept, pins);
    GC.Collect(i % 2);
}
if (plan == "oom") Exhaust(kept);
if (plan == "storm") Storm();

Thread.Sleep(100);
Print();
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
GC.KeepAlive(kept);

// Every second piece goes; some of those that stay are pinned.
static void Scatter(List<object> kept, List<GCHandle> pins)
{
    for (int i = 0; i < pieces; i++)
    {
        var piece = new byte[200 + i % 7 * 100];
        if (i % 2 == 0) kept.Add(piece);
        if (i % 200 == 0) pins.Add(GCHandle.Alloc(piece, GCHandleType.Pinned));
    }
    kept.Add(new Large(new byte[100_000]));
    _ = new byte[200_000];
    kept.Add(new Large(new byte[100_000]));
    kept.Add(GC.AllocateArray<byte>(5_000, pinned: true));
}

// The first finalizer blocks; the others wait behind it.
[MethodImpl(MethodImplOptions.NoInlining)]
static void Leave()
{
    for (int i = 0; i < 50; i++) new Stuck().Name = "stuck " + i;
}

static void Exhaust(List<object> kept)
{
    try
    {
        for (int i = 0; i < 10_000; i++) kept.Add(new byte[1_000_000]);
    }
    catch (OutOfMemoryException)
    {
        Console.WriteLine("{\"outOfMemory\":1000024}");
        kept.RemoveRange(kept.Count - Math.Min(kept.Count, 6), Math.Min(kept.Count, 6));
    }
}

static void Storm()
{
    for (int i = 0; i < 4; i++)
    {
        int seed = i;
        new Thread(() =>
        {
            var random = new Random(seed);
            var ring = new object[20_000];
            for (int n = 0; ; n++) ring[random.Next(ring.Length)] = new byte[n % 1000 == 0 ? 100_000 : random.Next(200)];
        }) { IsBackground = true }.Start();
    }
    Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
    Thread.Sleep(Timeout.Infinite);
}

static void Print()
{
    foreach (GCKind kind in Enum.GetValues<GCKind>())
    {
        GCMemoryInfo info = GC.GetGCMemoryInfo(kind);
        var generations = new List<string>();
        foreach (GCGenerationInfo generation in info.GenerationInfo)
            generations.Add($"{{\"sizeBefore\":{generation.SizeBeforeBytes},\"fragmentationBefore\":{generation.FragmentationBeforeBytes},\"sizeAfter\":{generation.SizeAfterBytes},\"fragmentationAfter\":{generation.FragmentationAfterBytes}}}");
        var pauses = new List<string>();
        foreach (TimeSpan pause in info.PauseDurations) pauses.Add(Text(pause.TotalMilliseconds));
        Console.WriteLine($"{{\"info\":\"{kind}\",\"index\":{info.Index},\"generation\":{info.Generation},\"compacted\":{Word(info.Compacted)},\"concurrent\":{Word(info.Concurrent)},\"totalAvailable\":{info.TotalAvailableMemoryBytes},\"highLoadThreshold\":{info.HighMemoryLoadThresholdBytes},\"memoryLoad\":{info.MemoryLoadBytes},\"heapSize\":{info.HeapSizeBytes},\"fragmented\":{info.FragmentedBytes},\"promoted\":{info.PromotedBytes},\"pinned\":{info.PinnedObjectsCount},\"finalizationPending\":{info.FinalizationPendingCount},\"committed\":{info.TotalCommittedBytes},\"pausePercentage\":{Text(info.PauseTimePercentage)},\"pauses\":[{string.Join(",", pauses)}],\"generations\":[{string.Join(",", generations)}]}}");
    }
    Console.WriteLine($"{{\"server\":{Word(GCSettings.IsServerGC)},\"latency\":\"{GCSettings.LatencyMode}\",\"largeCompaction\":\"{GCSettings.LargeObjectHeapCompactionMode}\",\"processors\":{Environment.ProcessorCount}}}");
    foreach (var (name, value) in GC.GetConfigurationVariables())
        Console.WriteLine($"{{\"variable\":\"{name}\",\"value\":{(value is bool word ? Word(word) : value is long number ? number.ToString(CultureInfo.InvariantCulture) : $"\"{value}\"")}}}");
    Console.WriteLine($"{{\"collections\":[{GC.CollectionCount(0)},{GC.CollectionCount(1)},{GC.CollectionCount(2)}],\"totalPauseMilliseconds\":{Text(GC.GetTotalPauseDuration().TotalMilliseconds)}}}");
}

static string Word(bool value) => value ? "true" : "false";
static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);

class Stuck
{
    public string Name = "";
    ~Stuck() => Thread.Sleep(Timeout.Infinite);
}

record Large(byte[] Bytes);
