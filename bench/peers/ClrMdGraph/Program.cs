// SPDX-License-Identifier: MIT
// Times what it takes with ClrMD to know what every object retains: walk, references, dominators, retained sizes, and one
// path to a root. Writes the results down, or holds another tool's against its own.
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Diagnostics.Runtime;
using ClrMdGraph;

if (Options.Parse(args) is not { } options)
{
    Console.Error.WriteLine("""
        usage: dotnet ClrMdGraph.dll DUMP [--runs N] [--dac FOLDER] [--roots FILE | --write-roots FILE] [--path ADDRESS] [--out FILE]
               dotnet ClrMdGraph.dll --checksum FILE    of the JSON that "heapscape-cli retained" writes; - is the standard input
        """);
    return 2;
}
if (options.ChecksumOf is { } file)
{
    using Stream stream = file == "-" ? Console.OpenStandardInput() : File.OpenRead(file);
    var (checksum, rows) = RetainedRows.Read(stream);
    Console.WriteLine(JsonSerializer.Serialize(new { checksum = checksum.ToString("x16"), reachable = rows }));
    return 0;
}

var seconds = new Dictionary<string, List<double>>();
if (options.Runs > 1)
{
    Measure(); // loads the DAC and compiles ClrMD
    seconds.Clear();
}
Result result = Measure();
for (int run = 1; run < options.Runs; run++)
    result = Measure();

if (options.WriteRoots is { } rootsFile)
    File.WriteAllLines(rootsFile, result.Roots.Select(root => $"0x{result.Graph.Index.AddressOf(root):x}"));
if (options.Out is { } outFile)
    result.WriteTable(outFile);

var figures = seconds.ToDictionary(stage => stage.Key, stage => (object)Math.Round(Median(stage.Value), 4));
figures["runs"] = options.Runs;
figures["objects"] = result.Graph.Index.Count;
figures["edges"] = result.Graph.Targets.Count;
figures["dangling"] = result.Graph.Dangling;
figures["roots"] = result.Roots.Length;
figures["reachable"] = result.Tree.Reached;
figures["reachableBytes"] = result.Retained.Bytes[0];
figures["pathLength"] = result.PathLength;
figures["checksum"] = result.Checksum().ToString("x16");
figures["peakBytes"] = Process.GetCurrentProcess().PeakWorkingSet64;
Console.WriteLine(JsonSerializer.Serialize(figures));
return 0;

Result Measure()
{
    GC.Collect();
    long began = Stopwatch.GetTimestamp();
    using var target = Time("open", () => DataTarget.LoadDump(options.Dump, new DataTargetOptions { SymbolPaths = [] }));
    ClrInfo clr = target.ClrVersions.Single();
    string dac = Path.Combine(options.DacFolder ?? Path.GetDirectoryName(clr.ModuleInfo.FileName)!, "libmscordaccore.so");
    using var runtime = Time("runtime", () => clr.CreateRuntime(dac, ignoreMismatch: true));
    ClrHeap heap = runtime.Heap;

    var index = Time("walk", () => new ObjectIndex(heap));
    int[] roots = Time("findRoots", () => options.Roots is { } given ? ReadRoots(given, index) : FindRoots(heap, index));
    var graph = Time("references", () => new ReferenceGraph(heap, index));
    var tree = Time("dominators", () => new DominatorTree(graph, roots));
    var retained = Time("retained", () => new RetainedSizes(tree, index));
    Add("total", Stopwatch.GetElapsedTime(began).TotalSeconds);

    int[] path = Time("path", () => ShortestPath.Find(graph, roots, options.PathTo is { } to ? index.Find(to) : -1));
    return new Result(graph, roots, tree, retained, path.Length);
}

T Time<T>(string stage, Func<T> work)
{
    long start = Stopwatch.GetTimestamp();
    T made = work();
    Add(stage, Stopwatch.GetElapsedTime(start).TotalSeconds);
    return made;
}

void Add(string stage, double time)
{
    if (!seconds.TryGetValue(stage, out var times))
        seconds[stage] = times = [];
    times.Add(time);
}

static int[] FindRoots(ClrHeap heap, ObjectIndex index)
{
    var roots = new HashSet<int>();
    foreach (ClrRoot root in heap.EnumerateRoots())
    {
        if (index.Find(root.Object.Address) is >= 0 and int id)
            roots.Add(id);
    }
    return [.. roots.Order()];
}

static int[] ReadRoots(string file, ObjectIndex index)
{
    var roots = new HashSet<int>();
    foreach (string line in File.ReadLines(file))
    {
        if (line.Length > 2 && index.Find(ulong.Parse(line.AsSpan(2), NumberStyles.HexNumber)) is >= 0 and int id)
            roots.Add(id);
    }
    return [.. roots];
}

static double Median(List<double> times)
{
    times.Sort();
    int middle = times.Count / 2;
    return times.Count % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}
