// SPDX-License-Identifier: MIT
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>Objects and free blocks of a generation or a segment.</summary>
sealed class Tally
{
    public long Objects, Bytes, FreeObjects, FreeBytes;

    public void Add(in Found found)
    {
        if (found.Type.IsFree)
        {
            FreeObjects++;
            FreeBytes += (long)found.AlignedSize;
        }
        else
        {
            Objects++;
            Bytes += (long)found.AlignedSize;
        }
    }
}

sealed class TypeTally(ClrType type)
{
    public readonly ClrType Type = type;
    public readonly long[] Generations = new long[Names.Generations.Length];
    public long Count, Bytes, ExactBytes;
}

sealed record SegmentTally(ClrSegment Segment, Tally Tally, Walk Walk, ulong Checksum);

/// <summary>Sums over one walk of the whole heap.</summary>
sealed class Survey
{
    public Dump Dump { get; }
    public List<SegmentTally> Segments { get; } = [];
    public Dictionary<(int Heap, int Generation), Tally> Generations { get; } = [];
    public Dictionary<ulong, TypeTally> Types { get; } = [];

    public Survey(Dump dump)
    {
        Dump = dump;
        var contexts = Contexts(dump.Heap);
        foreach (var segment in dump.Heap.Segments.OrderBy(s => s.Start))
            Add(segment, new Walk(dump.Heap, segment, contexts));
    }

    public static Dictionary<ulong, ulong> Contexts(ClrHeap heap) =>
        heap.EnumerateAllocationContexts().DistinctBy(c => c.Start).ToDictionary(c => c.Start, c => c.End);

    void Add(ClrSegment segment, Walk walk)
    {
        var sum = new Tally();
        var checksum = new Checksum();
        foreach (var found in walk.Objects())
        {
            int generation = Names.Generation(segment, found.Address);
            sum.Add(found);
            Generation(segment.SubHeap.Index, generation).Add(found);
            checksum.Add(found.Address);
            checksum.Add(found.Size);
            checksum.Add(found.Type.MethodTable);

            if (!Types.TryGetValue(found.Type.MethodTable, out var type))
                Types.Add(found.Type.MethodTable, type = new TypeTally(found.Type));
            type.Count++;
            type.Bytes += (long)found.AlignedSize;
            type.ExactBytes += (long)found.Size;
            type.Generations[generation] += (long)found.AlignedSize;
        }
        Segments.Add(new SegmentTally(segment, sum, walk, checksum.Value));
    }

    Tally Generation(int heap, int generation)
    {
        if (!Generations.TryGetValue((heap, generation), out var tally))
            Generations.Add((heap, generation), tally = new Tally());
        return tally;
    }
}

/// <summary>FNV-1a with 64 bits over little-endian words.</summary>
struct Checksum()
{
    public ulong Value { get; private set; } = 0xcbf29ce484222325;

    public void Add(ulong word)
    {
        for (int shift = 0; shift < 64; shift += 8)
            Value = (Value ^ (byte)(word >> shift)) * 0x100000001b3;
    }
}

static class Names
{
    public static readonly string[] Generations = ["gen0", "gen1", "gen2", "large", "pinned", "frozen"];

    public static int Generation(ClrSegment segment, ulong address) => segment.GetGeneration(address) switch
    {
        Microsoft.Diagnostics.Runtime.Generation.Generation0 => 0,
        Microsoft.Diagnostics.Runtime.Generation.Generation1 => 1,
        Microsoft.Diagnostics.Runtime.Generation.Generation2 => 2,
        Microsoft.Diagnostics.Runtime.Generation.Large => 3,
        Microsoft.Diagnostics.Runtime.Generation.Pinned => 4,
        Microsoft.Diagnostics.Runtime.Generation.Frozen => 5,
        var other => throw new InvalidDataException($"generation {other} at {Address(address)}"),
    };

    public static string Kind(GCSegmentKind kind) => kind switch
    {
        GCSegmentKind.Generation0 => "gen0",
        GCSegmentKind.Generation1 => "gen1",
        GCSegmentKind.Generation2 => "gen2",
        _ => kind.ToString().ToLowerInvariant(),
    };

    public static string Address(ulong address) => $"0x{address:x}";

    public static string Type(ClrType type) => type.IsFree ? "Free" : type.Name ?? "";
}
