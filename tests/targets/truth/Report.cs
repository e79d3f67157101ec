// SPDX-License-Identifier: MIT
using System.Reflection.Metadata;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>A survey as compact JSON.</summary>
static class Report
{
    // Where a boxed or heap object's first field lies: behind its method table.
    const int FieldsStart = 8;

    public static void Write(Survey survey, bool members, string path)
    {
        using var stream = File.Create(path);
        using var json = new Utf8JsonWriter(stream, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        var heap = survey.Dump.Heap;
        json.WriteStartObject();
        json.WriteString("runtime", survey.Dump.Version);
        json.WriteString("gc", heap.IsServer ? "server" : "workstation");
        json.WriteNumber("heaps", heap.SubHeaps.Length);
        json.WriteBoolean("regions", heap.SubHeaps.Any(h => h.HasRegions));
        json.WriteBoolean("walkable", heap.CanWalkHeap);
        json.WriteBoolean("members", members);
        List(json, "segments", survey.Segments, Segment);
        List(json, "generations", survey.Generations.OrderBy(g => g.Key), (json, g) => Generation(json, g.Key, g.Value));
        List(json, "types", survey.Types.Values.OrderBy(t => t.Type.MethodTable), (json, t) => Type(json, t, members));
        List(json, "modules", survey.Dump.Runtime.EnumerateModules().OrderBy(m => m.Address), Module);
        json.WriteEndObject();
    }

    static void List<T>(Utf8JsonWriter json, string name, IEnumerable<T> items, Action<Utf8JsonWriter, T> write)
    {
        json.WriteStartArray(name);
        foreach (var item in items)
        {
            json.WriteStartObject();
            write(json, item);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    static void Address(Utf8JsonWriter json, string name, ulong address) => json.WriteString(name, Names.Address(address));

    static void Write(Utf8JsonWriter json, Tally tally)
    {
        json.WriteNumber("objects", tally.Objects);
        json.WriteNumber("bytes", tally.Bytes);
        json.WriteNumber("freeObjects", tally.FreeObjects);
        json.WriteNumber("freeBytes", tally.FreeBytes);
    }

    static void Segment(Utf8JsonWriter json, SegmentTally item)
    {
        var segment = item.Segment;
        json.WriteString("kind", Names.Kind(segment.Kind));
        json.WriteNumber("heap", segment.SubHeap.Index);
        Address(json, "start", segment.Start);
        Address(json, "end", segment.End);
        Address(json, "committedEnd", segment.CommittedMemory.End);
        Address(json, "reservedEnd", segment.ReservedMemory.End);
        Write(json, item.Tally);
        json.WriteBoolean("complete", item.Walk.Complete);
        json.WriteStartArray("resumed");
        foreach (ulong address in item.Walk.Resumed)
            json.WriteStringValue(Names.Address(address));
        json.WriteEndArray();
        Address(json, "checksum", item.Checksum);
    }

    static void Generation(Utf8JsonWriter json, (int Heap, int Generation) key, Tally tally)
    {
        json.WriteNumber("heap", key.Heap);
        json.WriteString("generation", Names.Generations[key.Generation]);
        Write(json, tally);
    }

    static void Type(Utf8JsonWriter json, TypeTally tally, bool members)
    {
        var type = tally.Type;
        json.WriteString("name", Names.Type(type));
        Address(json, "methodTable", type.MethodTable);
        json.WriteString("module", type.IsFree ? "" : Path.GetFileName(type.Module?.Name ?? ""));
        json.WriteNumber("count", tally.Count);
        json.WriteNumber("bytes", tally.Bytes);
        json.WriteNumber("exactBytes", tally.ExactBytes);
        json.WriteStartObject("generations");
        for (int i = 0; i < tally.Generations.Length; i++)
            if (tally.Generations[i] != 0)
                json.WriteNumber(Names.Generations[i], tally.Generations[i]);
        json.WriteEndObject();
        json.WriteNumber("baseSize", type.StaticSize);
        json.WriteNumber("componentSize", type.ComponentSize);
        if (!members || type.IsFree)  // the 8.0 DAC crashes when asked for members of the free type
            return;
        List(json, "fields", type.Fields.OrderBy(f => f.Offset), Field);
        json.WriteStartArray("staticFields");
        foreach (var field in type.StaticFields)
            json.WriteStringValue(field.Name);
        json.WriteEndArray();
    }

    static void Field(Utf8JsonWriter json, ClrInstanceField field)
    {
        json.WriteString("declaringType", field.ContainingType.Name);
        json.WriteString("name", field.Name);
        json.WriteNumber("offset", FieldsStart + field.Offset);
        json.WriteNumber("elementType", (int)field.ElementType);
        json.WriteNumber("size", field.Size);
    }

    static void Module(Utf8JsonWriter json, ClrModule module)
    {
        json.WriteString("name", Path.GetFileName(module.Name ?? ""));
        json.WriteString("path", module.Name ?? "");
        Address(json, "imageBase", module.ImageBase);
        json.WriteNumber("size", module.Size);
        if (Mvid(module) is { } mvid)
            json.WriteString("mvid", mvid);
        json.WriteBoolean("dynamic", module.IsDynamic);
    }

    static unsafe Guid? Mvid(ClrModule module)
    {
        var metadata = new byte[module.MetadataLength];
        if (metadata.Length == 0 || module.AppDomain.Runtime.DataTarget.DataReader.Read(module.MetadataAddress, metadata) != metadata.Length)
            return null;
        fixed (byte* start = metadata)
        {
            var reader = new MetadataReader(start, metadata.Length);
            return reader.GetGuid(reader.GetModuleDefinition().Mvid);
        }
    }
}
