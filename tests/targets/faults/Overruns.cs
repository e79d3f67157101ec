// SPDX-License-Identifier: MIT
// Heaps that the program itself has damaged, by writing where it should not.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Faults;

sealed class Victim
{
    public long Number;
    public string? Name;
    public Victim? Next;
}

static unsafe partial class Overruns
{
    static readonly List<object> s_kept = [];

    // Allocated by a thread in one go, so that they lie one behind the other.
    static (T First, Victim[] Behind) Row<T>(Func<T> first) where T : class
    {
        var behind = new Victim[64];
        s_kept.Add(behind);
        for (int i = 0; i < 1000; i++) s_kept.Add(new Victim { Number = i, Name = "before" });
        T made = first();
        for (int i = 0; i < behind.Length; i++) behind[i] = new Victim { Number = i, Name = "behind" };
        s_kept.Add(made);
        for (int i = 0; i < 1000; i++) s_kept.Add(new Victim { Number = i, Name = "after" });
        return (made, behind);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static nint AddressOf(object value) => *(nint*)Unsafe.AsPointer(ref value);

    static void Tell(string fault, object overran, nint bad)
    {
        Console.WriteLine($$"""{"fault":"{{fault}}","neighbour":"0x{{AddressOf(overran):x}}","bad":"0x{{bad:x}}"}""");
    }

    // A copy that trusts a length: 40 bytes more than the array has room for.
    public static void BytesOverNextObject()
    {
        var (buffer, behind) = Row(() => new byte[100]);
        nint bad = AddressOf(behind[0]);
        Span<byte> source = stackalloc byte[144];
        for (int i = 0; i < source.Length; i++) source[i] = (byte)(0xa0 + i % 16);
        Unsafe.CopyBlockUnaligned(ref MemoryMarshal.GetArrayDataReference(buffer), ref source[0], (uint)source.Length);
        Tell("overrun", buffer, bad);
    }

    public static void TextOverNextObject()
    {
        var (buffer, behind) = Row(() => new char[20]);
        nint bad = AddressOf(behind[0]);
        byte[] source = Encoding.Unicode.GetBytes("Everything that was typed into this field, and more");
        Unsafe.CopyBlockUnaligned(ref Unsafe.As<char, byte>(ref MemoryMarshal.GetArrayDataReference(buffer)),
            ref source[0], 64);
        Tell("text", buffer, bad);
    }

    [DllImport("libc")]
    static extern nint memset(nint target, int value, nuint count);

    public static void NativeMemset()
    {
        var (buffer, behind) = Row(() => new byte[64]);
        nint bad = AddressOf(behind[0]);
        fixed (byte* start = buffer) memset((nint)start, 0x5a, 128);
        Tell("native", buffer, bad);
    }

    public static void OneMethodTable()
    {
        var (_, behind) = Row(() => new object());
        nint bad = AddressOf(behind[10]);
        nint before = AddressOf(behind[9]);
        *(long*)bad = 0x1234567812345678;
        Console.WriteLine($$"""{"fault":"methodTable","neighbour":"0x{{before:x}}","bad":"0x{{bad:x}}"}""");
    }

    // A sync block that does not exist.
    public static void OneHeader()
    {
        var (_, behind) = Row(() => new object());
        nint bad = AddressOf(behind[10]);
        *(uint*)(bad - 4) = 0x08000000 | 0x00123456;
        Console.WriteLine($$"""{"fault":"header","bad":"0x{{bad:x}}"}""");
    }

    public static void OneLength()
    {
        var (buffer, _) = Row(() => new byte[100]);
        nint bad = AddressOf(buffer);
        *(int*)(bad + 8) = 100_000_000;
        Console.WriteLine($$"""{"fault":"length","bad":"0x{{bad:x}}"}""");
    }

    // A clearing loop that goes on for too long: nothing but zeros, as a page that a copy has lost would be.
    public static void ZerosOverNextObjects()
    {
        var (buffer, behind) = Row(() => new byte[64]);
        nint bad = AddressOf(behind[0]);
        fixed (byte* start = buffer) new Span<byte>(start, 160).Clear();
        Tell("zeros", buffer, bad);
    }
}
