// SPDX-License-Identifier: MIT
using System.Numerics;
using Microsoft.Diagnostics.Runtime;

namespace ClrMdGraph;

/// All objects but free ones, numbered by address; a bit for every 8 bytes of heap finds the number of an address.
sealed class ObjectIndex
{
    const int GranuleShift = 20; // of the table that finds the segment of an address

    public readonly Table<ulong> Addresses = new();
    public readonly Table<uint> Units = new(); // aligned sizes in 8 bytes
    public readonly Table<ushort> TypeOf = new();
    public readonly List<ClrType> Types = [];

    readonly Part[] m_parts;
    readonly int[] m_partOf; // the first segment that may hold an address, by granule
    readonly ulong m_start, m_end;

    struct Part
    {
        public ulong Start, End;
        public ulong[] Bits;
        public int[] Before; // objects before each word of bits
    }

    public int Count => Addresses.Count;

    public ObjectIndex(ClrHeap heap)
    {
        ClrSegment[] segments = [.. heap.Segments.OrderBy(segment => segment.ObjectRange.Start)];
        m_parts = new Part[segments.Length];
        var numbers = new Dictionary<ClrType, ushort>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < segments.Length; i++)
            m_parts[i] = Walk(segments[i], numbers);
        m_start = m_parts.Length > 0 ? m_parts[0].Start : 0;
        m_end = m_parts.Length > 0 ? m_parts[^1].End : 0;
        m_partOf = new int[((m_end - m_start) >> GranuleShift) + 1];
        int part = 0;
        for (int granule = 0; granule < m_partOf.Length; granule++)
        {
            while (part + 1 < m_parts.Length && m_parts[part].End <= m_start + ((ulong)granule << GranuleShift))
                part++;
            m_partOf[granule] = part;
        }
    }

    Part Walk(ClrSegment segment, Dictionary<ClrType, ushort> numbers)
    {
        var part = new Part { Start = segment.ObjectRange.Start, End = segment.ObjectRange.End };
        part.Bits = new ulong[(part.End - part.Start) / 512 + 1];
        part.Before = new int[part.Bits.Length];
        ClrType? lastType = null;
        ushort lastNumber = 0;
        int first = Count;
        foreach (ClrObject item in segment.EnumerateObjects())
        {
            if (item.Type is not { IsFree: false } type)
                continue;
            if (!ReferenceEquals(type, lastType))
            {
                lastType = type;
                if (!numbers.TryGetValue(type, out lastNumber))
                {
                    lastNumber = checked((ushort)Types.Count);
                    numbers.Add(type, lastNumber);
                    Types.Add(type);
                }
            }
            ulong offset = item.Address - part.Start;
            part.Bits[offset / 512] |= 1UL << (int)(offset / 8 % 64);
            Addresses.Add(item.Address);
            Units.Add((uint)((item.Size + 7) / 8));
            TypeOf.Add(lastNumber);
        }
        for (int word = 0; word < part.Bits.Length; word++)
        {
            part.Before[word] = first;
            first += BitOperations.PopCount(part.Bits[word]);
        }
        return part;
    }

    /// -1 if no object starts there.
    public int Find(ulong address)
    {
        if (address < m_start || address >= m_end)
            return -1;
        int i = m_partOf[(address - m_start) >> GranuleShift];
        while (m_parts[i].End <= address)
            i++;
        ref Part part = ref m_parts[i];
        if (address < part.Start || address % 8 != 0)
            return -1;
        ulong offset = address - part.Start;
        ulong word = part.Bits[offset / 512], bit = 1UL << (int)(offset / 8 % 64);
        return (word & bit) == 0 ? -1 : part.Before[offset / 512] + BitOperations.PopCount(word & (bit - 1));
    }

    public ulong AddressOf(int id) => Addresses.Items[id];
    public ulong BytesOf(int id) => 8UL * Units.Items[id];
}
