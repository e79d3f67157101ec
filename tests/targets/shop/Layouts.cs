// SPDX-License-Identifier: MIT
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Shop;

/// <summary>Types whose fields the runtime places in every way it knows.</summary>
static class Layouts
{
    public static object[] All() =>
    [
        new AutoStruct { Text = "auto" }, new SequentialStruct { B = 1, D = 2 }, new PackedStruct { B = 1, L = 2 }, new PackedTwo(), new SizedStruct(),
        new Union { Whole = 0x3ff0000000000000 }, new UnionWithReference { Name = "union", Number = 7 }, new Empty(), new OneByte(), new AsksSequential(),
        new AutoClass(), new SequentialClass(), new PackedClass(), new ExplicitClass(), new NestedStructs(), new Wrappers(),
        new First(), new Second(), new Third(), new Fourth(),
        new Buffer { Length = 4 }, new FixedBuffers(), new Deep(), new Numbers(), new WideNumbers(), new Nullables { Day = DayOfWeek.Friday },
        new Enums(), SmallEnum.B, ByteEnum.B, ShortEnum.B, UShortEnum.B, IntEnum.B, UIntEnum.B, LongEnum.B, ULongEnum.B,
        true, 'x', (byte)1, (sbyte)-1, (short)-2, (ushort)2, 3, 4u, 5L, 6ul, 7f, 8d, 9m, (nint)10, (nuint)11, (Half)12,
        (Int128)13, (UInt128)14, new BigInteger(1e30), Vector128.Create(1), Vector256.Create(2L), new Vector3(1, 2, 3), new Complex(1, 2),
        new DateTime(2024, 2, 29), TimeSpan.FromDays(1), new DateOnly(2024, 2, 29), new TimeOnly(12, 30), new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        new Pointers(), Tuple.Create(1, "two", 3.0), (1, "two", 3.0), (1, 2, 3, 4, 5, 6, 7, 8, 9, "ten"), new { Name = "anonymous", Price = 2.5m },
        new RecordClass(1, "record"), new RecordStruct(2, null), new KeyValuePair<string, int>("key", 1), new Index(1), 2..5,
    ];
}

[StructLayout(LayoutKind.Auto)] struct AutoStruct { byte a; double b; byte c; public string Text; short d; }
struct SequentialStruct { public byte B; public double D; public byte C; public short E; }
[StructLayout(LayoutKind.Sequential, Pack = 1)] struct PackedStruct { public byte B; public long L; short s; int i; }
[StructLayout(LayoutKind.Sequential, Pack = 2)] struct PackedTwo { byte b; int i; byte c; double d; }
[StructLayout(LayoutKind.Sequential, Size = 20)] struct SizedStruct { int a; short b; }
struct Empty;
struct OneByte { byte value; }
[StructLayout(LayoutKind.Sequential)] struct AsksSequential { byte b; string s; byte c; int i; }

[StructLayout(LayoutKind.Explicit)]
struct Union
{
    [FieldOffset(0)] public long Whole;
    [FieldOffset(0)] double real;
    [FieldOffset(0)] int low;
    [FieldOffset(4)] int high;
    [FieldOffset(7)] byte top;
}

[StructLayout(LayoutKind.Explicit)]
struct UnionWithReference
{
    [FieldOffset(0)] public string Name;
    [FieldOffset(8)] public long Number;
    [FieldOffset(8)] DateTime time;
}

class AutoClass { byte a; object? b; int c; bool d; long e; short f; string? g; }
[StructLayout(LayoutKind.Sequential)] class SequentialClass { byte a; int b; byte c; long d; bool e; }
[StructLayout(LayoutKind.Sequential, Pack = 1)] class PackedClass { byte a; int b; byte c; long d; }
[StructLayout(LayoutKind.Explicit, Size = 40)] class ExplicitClass { [FieldOffset(0)] int a; [FieldOffset(16)] long b; [FieldOffset(18)] short c; }

class NestedStructs { byte a; SequentialStruct s; AutoStruct t; byte b; Union u; (byte, long, string?) tuple; }
class Wrappers { OneByte a; OneByte b; OneByte c; Empty e; int d; }

class First { byte a; object? o; }
class Second : First { int i; OneByte w; }
class Third : Second;
class Fourth : Third { long l; byte z; AutoStruct s; }

[InlineArray(8)] struct EightInts { int first; }
[InlineArray(3)] struct ThreeNames { string? first; }
class Buffer { EightInts numbers; ThreeNames names; public int Length; }
unsafe struct FixedBuffers { public fixed byte Bytes[13]; public fixed long Longs[3]; public fixed char Chars[5]; byte end; }

struct Inner { byte a; Half h; decimal m; }
struct Middle { Inner one; byte b; Inner? two; }
class Deep { Middle middle; Middle[]? more; byte tail; }

class Numbers { bool a; char b; sbyte c; byte d; short e; ushort f; int g; uint h; long i; ulong j; float k; double l; decimal m; nint n; nuint o; Half p; }
class WideNumbers { byte a; Int128 b; byte c; UInt128 d; Vector64<byte> e; Vector128<int> f; byte g; Vector256<double> h; Vector<int> i; Guid j; BigInteger k; Complex l; }
class Nullables { bool? a; byte? b; int? c; long? d; public DayOfWeek? Day; DateTime? e; SequentialStruct? f; KeyValuePair<string, int>? g; decimal? h; }
class Enums { SmallEnum a; ByteEnum b; ShortEnum c; UShortEnum d; IntEnum e; UIntEnum f; LongEnum g; ULongEnum h; DayOfWeek i; }
enum SmallEnum : sbyte { A = -1, B }
enum ByteEnum : byte { A, B }
enum ShortEnum : short { A, B }
enum UShortEnum : ushort { A, B }
enum IntEnum { A, B }
enum UIntEnum : uint { A, B }
enum LongEnum : long { A, B }
[Flags] enum ULongEnum : ulong { A, B = 1ul << 63 }

unsafe class Pointers { void* a; int** b; delegate*<int, string> c; nint d; TypedHolder<int>* e; }
struct TypedHolder<T> { T? value; }

record RecordClass(int Id, string Name);
record struct RecordStruct(byte Id, string? Name);
