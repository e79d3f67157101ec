// SPDX-License-Identifier: MIT
using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>What ClrMD says of handles, locks, threads, finalizers, statics, sampled objects, methods and references.</summary>
sealed class Details(Dump dump, Utf8JsonWriter json)
{
    const int Samples = 200;
    const int MaximumDepth = 6;
    const int ShownElements = 8;
    const int StringUnits = 200;

    public static void Write(Dump dump, string path)
    {
        using var stream = File.Create(path);
        using var json = new Utf8JsonWriter(stream, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        new Details(dump, json).WriteAll();
    }

    void WriteAll()
    {
        var objects = dump.Heap.EnumerateObjects().Where(o => o.IsValid).ToList();
        json.WriteStartObject();
        json.WriteString("runtime", dump.Version);
        List("handles", dump.Runtime.EnumerateHandles().OrderBy(h => h.Address), Handle);
        List("syncBlocks", dump.Heap.EnumerateSyncBlocks().OrderBy(b => b.Index), Block);
        List("thinLocks", ThinLocks(objects), ThinLock);
        List("threads", dump.Runtime.Threads, Thread);
        List("finalizable", dump.Heap.EnumerateFinalizableObjects().OrderBy(o => o.Address), o => Address("object", o.Address));
        List("fReachable", dump.Heap.EnumerateFinalizerRoots().OrderBy(r => r.Object.Address), r => Address("object", r.Object.Address));
        List("statics", Statics(), Static);
        List("samples", Sampled(objects), Sample);
        List("methods", Methods(objects), Method);
        Edges(objects);
        json.WriteEndObject();
    }

    void List<T>(string name, IEnumerable<T> items, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (var item in items)
        {
            json.WriteStartObject();
            write(item);
            json.WriteEndObject();
        }
        json.WriteEndArray();
        json.Flush();
    }

    void Address(string name, ulong address) => json.WriteString(name, Names.Address(address));

    void Handle(ClrHandle handle)
    {
        Address("address", handle.Address);
        json.WriteString("kind", handle.HandleKind.ToString());
        Address("object", handle.Object.Address);
        Address("dependent", handle.Dependent.Address);
    }

    void Block(SyncBlock block)
    {
        json.WriteNumber("index", block.Index);
        Address("object", block.Object);
        json.WriteBoolean("held", block.IsMonitorHeld);
        Address("thread", block.HoldingThreadAddress);
        json.WriteNumber("recursion", block.RecursionCount);
        json.WriteNumber("waiting", block.WaitingThreadCount);
    }

    // The header of a free block is left over from another time.
    static IEnumerable<(ClrObject Object, ClrThinLock Lock)> ThinLocks(IEnumerable<ClrObject> objects) =>
        from o in objects where !o.IsFree let thin = o.GetThinLock() where thin is not null select (o, thin);

    void ThinLock((ClrObject Object, ClrThinLock Lock) item)
    {
        Address("object", item.Object.Address);
        json.WriteNumber("owner", item.Lock.Thread?.ManagedThreadId ?? 0);
        json.WriteNumber("recursion", item.Lock.Recursion);
    }

    void Thread(ClrThread thread)
    {
        Address("address", thread.Address);
        json.WriteNumber("managedId", thread.ManagedThreadId);
        json.WriteNumber("osId", thread.OSThreadId);
        json.WriteNumber("state", (uint)thread.State);
        json.WriteBoolean("alive", thread.IsAlive);
        json.WriteBoolean("finalizer", thread.IsFinalizer);
        json.WriteBoolean("gc", thread.IsGc);
        Address("contextStart", thread.AllocationContext.Start);
        Address("contextEnd", thread.AllocationContext.End);
        Address("stackBase", thread.StackBase);
        Address("stackLimit", thread.StackLimit);
        Address("exception", thread.CurrentException?.Address ?? 0);
    }

    IEnumerable<(ClrType Type, ClrStaticField Field)> Statics() =>
        from module in dump.Runtime.EnumerateModules()
        from entry in module.EnumerateTypeDefToMethodTableMap()
        let type = dump.Runtime.GetTypeByMethodTable(entry.Item1)
        where type is not null
        from field in type.StaticFields
        select (type, field);

    void Static((ClrType Type, ClrStaticField Field) item)
    {
        var (type, field) = item;
        json.WriteString("type", Names.Type(type));
        Address("methodTable", type.MethodTable);
        json.WriteString("field", field.Name);
        json.WriteNumber("elementType", (int)field.ElementType);
        ulong address = field.GetAddress(type.Module.AppDomain);
        Address("address", address);
        if (address != 0)
            Value(field.ElementType, field.Type, address, isStatic: true, depth: 0);
    }

    // Spread over the whole heap, and one of each type that has not come up by then.
    static IEnumerable<ClrObject> Sampled(List<ClrObject> objects)
    {
        var live = objects.Where(o => !o.IsFree).ToList();
        var seen = new HashSet<ulong>();
        int step = Math.Max(1, live.Count / Samples);
        for (int i = 0; i < live.Count; i += step)
        {
            seen.Add(live[i].Type!.MethodTable);
            yield return live[i];
        }
        foreach (var item in live)
            if (seen.Add(item.Type!.MethodTable))
                yield return item;
    }

    void Sample(ClrObject item)
    {
        var type = item.Type!;
        Address("address", item.Address);
        json.WriteString("type", Names.Type(type));
        json.WriteNumber("size", item.Size);
        if (type.IsString)
            json.WriteString("string", item.AsString(StringUnits));
        else if (type.IsArray)
            Array(item);
        else
            Fields(type, item.Address, interior: false, depth: 0);
    }

    void Array(ClrObject item)
    {
        var array = item.AsArray();
        json.WriteStartArray("lengths");
        for (int i = 0; i < array.Rank; i++)
            json.WriteNumberValue(array.GetLength(i));
        json.WriteEndArray();
        json.WriteStartArray("lowerBounds");
        for (int i = 0; i < array.Rank; i++)
            json.WriteNumberValue(array.Rank == 1 && item.Type!.Name?.EndsWith("[]") == true ? 0 : array.GetLowerBound(i));
        json.WriteEndArray();
        if (item.Type!.ComponentType is not { } element)
            return;
        json.WriteNumber("elementType", (int)element.ElementType);
        ulong first = item.Type.GetArrayElementAddress(item.Address, 0);
        List("elements", Enumerable.Range(0, Math.Min(array.Length, ShownElements)), i =>
            Value(element.ElementType, element, first + (ulong)i * (ulong)item.Type.ComponentSize, isStatic: false, depth: 1));
    }

    void Fields(ClrType type, ulong address, bool interior, int depth) => List("fields", type.Fields.OrderBy(f => f.Offset), field =>
    {
        json.WriteString("name", field.Name);
        json.WriteNumber("offset", field.Offset);
        Value(field.ElementType, field.Type, field.GetAddress(address, interior), isStatic: false, depth);
    });

    // Statics of value types are boxed; their address is that of the reference to the box.
    void Value(ClrElementType element, ClrType? type, ulong address, bool isStatic, int depth)
    {
        var reader = dump.Runtime.DataTarget.DataReader;
        json.WriteNumber("element", (int)element);
        if (element is ClrElementType.Struct)
        {
            if (isStatic || type is null || depth >= MaximumDepth)
                return;
            json.WriteString("struct", Names.Type(type));
            Fields(type, address, interior: true, depth + 1);
            return;
        }
        if (element is ClrElementType.Class or ClrElementType.String or ClrElementType.Object or ClrElementType.SZArray or ClrElementType.Array)
        {
            ulong target = reader.ReadPointer(address);
            Address("object", target);
            if (target != 0 && dump.Heap.GetObject(target) is { IsValid: true } item)
            {
                json.WriteString("objectType", Names.Type(item.Type!));
                if (item.Type!.IsString)
                    json.WriteString("string", item.AsString(StringUnits));
            }
            return;
        }
        if (Primitive(reader, element, address) is { } text)
            json.WriteString("value", text);
        if (type is { IsEnum: true })
            json.WriteString("enum", Names.Type(type));
    }

    static string? Primitive(IDataReader reader, ClrElementType element, ulong address)
    {
        var culture = CultureInfo.InvariantCulture;
        return element switch
        {
            ClrElementType.Boolean => reader.Read(address, out byte v) ? (v != 0 ? "true" : "false") : null,
            ClrElementType.Char => reader.Read(address, out ushort v) ? v.ToString(culture) : null,
            ClrElementType.Int8 => reader.Read(address, out sbyte v) ? v.ToString(culture) : null,
            ClrElementType.UInt8 => reader.Read(address, out byte v) ? v.ToString(culture) : null,
            ClrElementType.Int16 => reader.Read(address, out short v) ? v.ToString(culture) : null,
            ClrElementType.UInt16 => reader.Read(address, out ushort v) ? v.ToString(culture) : null,
            ClrElementType.Int32 => reader.Read(address, out int v) ? v.ToString(culture) : null,
            ClrElementType.UInt32 => reader.Read(address, out uint v) ? v.ToString(culture) : null,
            ClrElementType.Int64 or ClrElementType.NativeInt => reader.Read(address, out long v) ? v.ToString(culture) : null,
            ClrElementType.UInt64 or ClrElementType.NativeUInt => reader.Read(address, out ulong v) ? v.ToString(culture) : null,
            ClrElementType.Float => reader.Read(address, out float v) ? v.ToString("R", culture) : null,
            ClrElementType.Double => reader.Read(address, out double v) ? v.ToString("R", culture) : null,
            ClrElementType.Pointer or ClrElementType.FunctionPointer => reader.Read(address, out ulong v) ? Names.Address(v) : null,
            _ => null,
        };
    }

    static IEnumerable<ClrMethod> Methods(IEnumerable<ClrObject> objects) =>
        objects.Where(o => !o.IsFree).Select(o => o.Type!).DistinctBy(t => t.MethodTable).Where(t => !t.IsArray).SelectMany(t => t.Methods);

    void Method(ClrMethod method)
    {
        Address("methodTable", method.Type.MethodTable);
        Address("methodDesc", method.MethodDesc);
        json.WriteNumber("token", method.MetadataToken);
        json.WriteString("signature", method.Signature);
        Address("nativeCode", method.NativeCode == ulong.MaxValue ? 0 : method.NativeCode);
        json.WriteString("compilation", method.CompilationType.ToString());
        json.WriteNumber("hotSize", method.HotColdInfo.HotSize);
        json.WriteNumber("coldSize", method.HotColdInfo.ColdSize);
    }

    // A sum does not depend on the order, so it tells of any edge that differs.
    void Edges(IEnumerable<ClrObject> objects)
    {
        ulong count = 0, sum = 0, dependent = 0;
        foreach (var item in objects)
        {
            if (item.IsFree || !item.ContainsPointers && !item.Type!.IsCollectible)
                continue;
            foreach (ulong target in item.EnumerateReferenceAddresses(carefully: false, considerDependantHandles: false))
            {
                count++;
                sum += Mix(item.Address, target);
            }
        }
        foreach (var handle in dump.Runtime.EnumerateHandles())
            if (handle.HandleKind == ClrHandleKind.Dependent && handle.Object.Address != 0 && handle.Dependent.Address != 0)
                dependent++;
        json.WriteStartObject("edges");
        json.WriteNumber("count", count);
        Address("sum", sum);
        json.WriteNumber("dependent", dependent);
        json.WriteEndObject();
    }

    static ulong Mix(ulong from, ulong to) => (from * 0x9E3779B97F4A7C15 ^ to) * 0x100000001b3;
}
