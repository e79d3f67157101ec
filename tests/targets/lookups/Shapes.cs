// SPDX-License-Identifier: MIT
using System.Runtime.InteropServices;

namespace Lookups;

/// One of each that the runtime describes in the parts of a class that few have.
[StructLayout(LayoutKind.Sequential, Pack = 2)] struct Packed { public byte A; public long B; }
[StructLayout(LayoutKind.Explicit, Size = 48)] struct Sized { [FieldOffset(8)] public int A; [FieldOffset(8)] public float B; }
[StructLayout(LayoutKind.Auto)] struct Free { public byte A; public long B; }
struct Blittable { public int A; public double B; }
struct InRegisters { public double A; public int B; public short C; }
struct HoldsReference { public string A; public int B; }
struct WithFree { public Free A; public int B; }
struct Nothing { }
struct Wide { public Int128 A; public int B; }
interface IConvert<in TFrom, out TTo, TSame> { }
class Counts {
    public static int Plain, Sum; public static string Text = "text"; public static Blittable Boxed;
    [ThreadStatic] public static int PerThread; [ThreadStatic] public static string? PerThreadText;
    public int One; public string Two = "two"; public long Three;
    public void NotVirtual() { }
    public static void Static() { Plain = 1; PerThread = 2; PerThreadText = "three"; Boxed.A = 4; }
}

static class Shapes {
    public static readonly object[] Kept =
        [new Packed(), new Sized(), new Free(), new Blittable(), new InRegisters(), new HoldsReference(), new WithFree(), new Nothing(), new Wide(),
         new Counts(), typeof(IConvert<object, string, Version>)];
}
