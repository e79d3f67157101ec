// SPDX-License-Identifier: MIT
// Times ClrMD on a dump: opening it, and walking every object into statistics by type. Medians over runs that each start afresh.
using System.Diagnostics;
using System.Text.Json;
using Microsoft.Diagnostics.Runtime;

if (args.Length is < 1 or > 3)
{
    Console.Error.WriteLine("usage: dotnet ClrMdBench.dll DUMP [RUNS] [FOLDER of libmscordaccore.so]");
    return 2;
}
int runs = args.Length > 1 ? int.Parse(args[1]) : 5;
string? dacFolder = args.Length > 2 ? args[2] : null;

var open = new List<double>();
var walk = new List<double>();
var processor = new List<double>();
long objects = 0, bytes = 0;
int types = 0;
Run();  // pays for loading the DAC and for compiling ClrMD, so it is told apart
var (firstOpen, firstWalk) = (open[0], walk[0]);
open.Clear();
walk.Clear();
processor.Clear();
for (int i = 0; i < runs; i++)
    Run();

Console.WriteLine(JsonSerializer.Serialize(new { open = Median(open), walk = Median(walk), processor = Median(processor), firstOpen, firstWalk, objects, bytes, types, runs }));
return 0;

void Run()
{
    GC.Collect();
    var spent = Environment.CpuUsage.TotalTime;
    long start = Stopwatch.GetTimestamp();
    using var target = DataTarget.LoadDump(args[0], new DataTargetOptions { SymbolPaths = [] });
    var clr = target.ClrVersions.Single();
    string dac = Path.Combine(dacFolder ?? Path.GetDirectoryName(clr.ModuleInfo.FileName)!, "libmscordaccore.so");
    using var runtime = clr.CreateRuntime(dac, ignoreMismatch: true);
    var heap = runtime.Heap;
    _ = heap.Segments.Length;
    open.Add(Stopwatch.GetElapsedTime(start).TotalSeconds);

    start = Stopwatch.GetTimestamp();
    var statistics = new Dictionary<ulong, (long Count, long Bytes)>();
    (objects, bytes) = (0, 0);
    foreach (var item in heap.EnumerateObjects())
    {
        if (item.IsFree || item.Type is not { } type)
            continue;
        long size = ((long)item.Size + 7) & ~7L;
        statistics.TryGetValue(type.MethodTable, out var sum);
        statistics[type.MethodTable] = (sum.Count + 1, sum.Bytes + size);
        objects++;
        bytes += size;
    }
    walk.Add(Stopwatch.GetElapsedTime(start).TotalSeconds);
    processor.Add((Environment.CpuUsage.TotalTime - spent).TotalSeconds);
    types = statistics.Count;
}

static double Median(List<double> seconds)
{
    seconds.Sort();
    int middle = seconds.Count / 2;
    return seconds.Count % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}
