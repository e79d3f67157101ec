// SPDX-License-Identifier: MIT
namespace Truth;

/// <summary>Every object of the heap, one a line, for looking into a difference.</summary>
static class ObjectList
{
    public static void Write(Dump dump, string path)
    {
        using var output = new StreamWriter(path);
        output.Write("address\tsize\tmethodTable\ttype\tgeneration\n");
        var contexts = Survey.Contexts(dump.Heap);
        foreach (var segment in dump.Heap.Segments.OrderBy(s => s.Start))
            foreach (var found in new Walk(dump.Heap, segment, contexts).Objects())
                output.Write($"0x{found.Address:x}\t{found.Size}\t0x{found.Type.MethodTable:x}\t{Names.Type(found.Type)}\t" +
                             $"{Names.Generations[Names.Generation(segment, found.Address)]}\n");
    }
}
