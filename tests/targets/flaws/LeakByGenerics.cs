// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Flaws;

/// A generic type that is instantiated over very many value types.
sealed class Meter<T>
{
    T? last;
    int changes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Take(T value)
    {
        if (!EqualityComparer<T>.Default.Equals(value, last)) ++changes;
        last = value;
        return changes;
    }
}

/// One that is not.
sealed class Gauge<T>
{
    T? last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool Take(T value)
    {
        bool isFirst = last is null;
        last = value;
        return isFirst;
    }
}

static class LeakByGenerics
{
    static int Measure<T>() where T : struct => new Meter<T>().Take(default);

    public static void Plant()
    {
        _ = Measure<byte>() + Measure<sbyte>() + Measure<short>() + Measure<ushort>() + Measure<int>() + Measure<uint>() + Measure<long>() +
            Measure<ulong>() + Measure<float>() + Measure<double>() + Measure<decimal>() + Measure<char>() + Measure<bool>() + Measure<Guid>() +
            Measure<DateTime>() + Measure<TimeSpan>() + Measure<DateOnly>() + Measure<TimeOnly>() + Measure<Half>() + Measure<Int128>() +
            Measure<UInt128>() + Measure<Index>() + Measure<Range>() + Measure<DateTimeOffset>();
        new Meter<string>().Take("shared");
        new Gauge<int>().Take(1);
        new Gauge<long>().Take(1);
        new Gauge<string>().Take("shared");
        new Gauge<Version>().Take(new Version());
        Planted.Say("genericGrowth", "Flaws.Meter<T>", 24, 0);
    }
}
