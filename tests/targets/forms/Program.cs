// SPDX-License-Identifier: MIT
// Types in all kinds of bad order, enums, statics and thread statics, for Native AOT and for CoreCLR alike.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Forms {
public struct Reading { public bool Valid; public long At; public byte Kind; public double Value; public short Flags; }
public struct Named { public byte A; public string Name; public int B; public string Other; public byte C; public long D; }
[StructLayout(LayoutKind.Auto)] public struct AutoReading { public bool Valid; public long At; public byte Kind; public double Value; public short Flags; }
[StructLayout(LayoutKind.Sequential, Pack = 1)] public struct Packed { public byte A; public long B; public short C; }
[StructLayout(LayoutKind.Sequential, Size = 64)] public struct Sized { public int A; public long B; }
[StructLayout(LayoutKind.Explicit)] public struct Union { [FieldOffset(0)] public int I; [FieldOffset(0)] public float F; [FieldOffset(8)] public byte B; [FieldOffset(16)] public long L; }
public struct Small { public byte A; public short B; }
public struct Three { public byte A, B, C; }
public struct Empty { }
public struct Outer { public bool X; public Reading R; public bool Y; public Small S; public bool Z; public Named N; }

public class Order { public bool Paid; public long Id; public byte State; public string Customer; public int Lines; public short Region; }
public class Special : Order { public bool Rush; public double Fee; public bool Gift; }
public class VerySpecial : Special { public byte Level; public object Extra; public Small Where; }
[StructLayout(LayoutKind.Sequential)] public class Sequenced { public bool A; public long B; public bool C; public int D; public bool E; public long F; }
[StructLayout(LayoutKind.Sequential)] public class SequencedRef { public bool A; public string B; public bool C; public int D; }
[StructLayout(LayoutKind.Explicit)] public class Placed { [FieldOffset(0)] public byte A; [FieldOffset(8)] public long B; [FieldOffset(16)] public byte C; [FieldOffset(24)] public long D; }
public class WithValues { public Three T1; public long L; public Reading R; public bool B; public Three T2; public Small S; public int I; public Empty E; }
public class WithMany { public Small A; public Guid G; public bool B; public DateTime When; public decimal Money; public byte C; public int? Maybe; public TimeSpan? Span; public bool? Flag; public KeyValuePair<byte, long> Pair; public (byte, long, byte) Tuple; }
public class Box<T> { public bool Before; public T Value; public bool After; }
public struct Cell<T, U> { public T First; public U Second; public byte Third; }
public class Base1 { public byte A; }
public class Derived1 : Base1 { public byte B; }
public class Derived2 : Derived1 { public long C; public byte D; }
public class Derived3 : Derived2 { public byte E; public Reading R; }
public abstract class Node { public bool Marked; public Node Next; protected int depth; }
public sealed class Leaf : Node { public bool Green; public long Weight; public byte Age { get; set; } public string Text { get; init; } public Leaf(int d) { depth = d; } }
public record Person(bool Adult, string Name, byte Age, long Id);
public readonly record struct Spot(byte X, long Y, byte Z);
public class Callbacks { public bool On; public Action Run; public event EventHandler Done; public int N; public void Fire() => Done?.Invoke(this, null); }
public unsafe class Pointers { public bool A; public void* P; public byte B; public delegate*<int, int> F; public nint N; public byte C; }
public class NumberHolder { public bool A; public Int128 Big; public byte B; public UInt128 Big2; public Half H; public char C; public float F; public nuint N; }
public class PaddedCounter { public long Count; public long P1, P2, P3, P4, P5, P6, P7; public bool Last; }

[Flags] public enum Rights : byte { None = 0, Read = 1, Write = 2, Run = 4, All = 7 }
[Flags] public enum Wide : ulong { A = 1, B = 0x100000000, C = 0x8000000000000000 }
[Flags] public enum Signed : int { X = 1, Y = 2, Top = int.MinValue }
public enum Plain : short { One = 1, Two = 2, Four = 4, Minus = -1 }
public class Enums { public Rights R1 = Rights.Read | Rights.Run; public Rights R0; public Rights R8 = (Rights)8; public Wide W = Wide.A | Wide.C; public Signed S = Signed.Y | Signed.Top; public Plain P3 = (Plain)3; public Plain PM = Plain.Minus; public Rights R7 = (Rights)7; public ConsoleModifiers M = ConsoleModifiers.Alt | ConsoleModifiers.Control; public object Boxed = Rights.Write | Rights.Run; public Rights[] Array = { Rights.Read, Rights.Read | Rights.Write, (Rights)12 }; public Rights? Maybe = Rights.Read | Rights.Write; }

[InlineArray(8)] public struct EightBytes { byte first; }
[InlineArray(5)] public struct FiveInts { int first; }
[InlineArray(3)] public struct ThreeObjects { object first; }
[InlineArray(4)] public struct FourReadings { Reading first; }
[InlineArray(6)] public struct SixShorts { short first; }
[InlineArray(4)] public struct FourRights { Rights first; }
[InlineArray(3)] public struct ThreeOf<T> { T first; }
public unsafe struct Buffers { public fixed byte Bytes[16]; public bool Between; public fixed char Chars[7]; public fixed int Ints[3]; public fixed double Doubles[2]; public fixed bool Bools[3]; public fixed byte One[1]; }
public class Inlines { public EightBytes B; public bool X; public FiveInts I; public ThreeObjects O; public FourReadings R; public SixShorts S; public FourRights E; public ThreeOf<string> Strings; public ThreeOf<byte> Small; public Buffers F; }

public class Statics {
  public static int Number = 17;
  public static bool Flag = true;
  public static byte Tiny = 3;
  public static long Long = 1L << 40;
  public static double Real = 2.5;
  public static Reading Struct = new() { Valid = true, At = 5, Value = 1.5 };
  public static Rights Rights = Rights.Read | Rights.Write;
  public static string Text = "static text";
  public static Named WithRefs = new() { Name = "n", Other = "o", B = 9 };
  public static int[] Array = { 1, 2, 3 };
  public static object Nothing;
  public static List<Order> Orders = new();
  public static EightBytes Inline;
  public static decimal Money = 12.5m;
  public static Int128 Big = 1;
  public static int? Maybe = 4;
  public const int Constant = 5;
  public static ReadOnlySpan<byte> Data => new byte[] { 1, 2, 3, 4 };
}
public static class OnlyNumbers { public static byte A = 1; public static int B = 2; public static byte C = 3; public static long D = 4; public static short E = 5; }
public static class OnlyRefs { public static string A = "a"; public static object B = new Order(); public static Dictionary<string, int> C = new() { ["k"] = 1 }; }
public struct StaticInStruct { public static string Name = "in struct"; public static int Count = 2; public byte X; }
public class Lazy { public static readonly string When = MakeIt(); public static int Ran; static string MakeIt() { Ran++; return "lazy " + Environment.ProcessId; } static Lazy() { Ran += 10; } }
public class NeverUsed { public static string Name = "never" + Environment.ProcessId; public static int N = 3; }
public class GenericStatic<T> { public static T Value; public static int Count; public static List<T> Items = new(); }

public class Local {
  [ThreadStatic] public static object Object;
  [ThreadStatic] public static int Number;
  [ThreadStatic] public static string Text;
  [ThreadStatic] public static long Long;
  [ThreadStatic] public static bool Flag;
  [ThreadStatic] public static Named Struct;
  public static int Shared = 1;
  public static string SharedText = "shared";
}
public class LocalNumbers { [ThreadStatic] public static int A; [ThreadStatic] public static byte B; [ThreadStatic] public static double C; [ThreadStatic] public static Rights D; }
public class LocalRefs { [ThreadStatic] public static string A; [ThreadStatic] public static List<int> B; }
public class LocalGeneric<T> { [ThreadStatic] public static T Value; [ThreadStatic] public static int N; [ThreadStatic] public static List<T> Items; }
public class LocalInit { [ThreadStatic] public static int A = 5; [ThreadStatic] public static string B = "init"; static LocalInit() { } }
public class LocalMixed { public static string S1 = "s1"; [ThreadStatic] static string t1; public static int N1 = 1; [ThreadStatic] static int tn1; public static string S2 = "s2"; [ThreadStatic] static object t2; public static void Set(string s, int n) { t1 = s; tn1 = n; t2 = s + n; } public static string Get() => t1 + tn1 + t2; }

public static class Program {
  public static List<object> Keep = new();
  static readonly CountdownEvent ready = new(2);
  static readonly ManualResetEventSlim gate = new();
  static unsafe nint Addr(object o) => *(nint*)Unsafe.AsPointer(ref o);
  static unsafe nint Place<T>(ref T f) => (nint)Unsafe.AsPointer(ref Unsafe.As<T, byte>(ref f));
  static int Twice(int x) => 2 * x;

  static void Add<T>(T value, int n) where T : struct { var a = new T[n]; for (int i = 0; i < n; i++) a[i] = value; Keep.Add(a); Keep.Add(value); Keep.Add(new Box<T> { Value = value }); }

  static void Locals(string name, int n) {
    Local.Object = new Order { Id = n }; Local.Number = n; Local.Text = name; Local.Long = 1L << (30 + n); Local.Flag = true; Local.Struct = new Named { Name = name, Other = "other" + n, D = n };
    LocalNumbers.A = n + 100; LocalNumbers.B = (byte)n; LocalNumbers.C = n + 0.5; LocalNumbers.D = Rights.Read | Rights.Write;
    LocalRefs.A = "refs " + name; LocalRefs.B = new List<int> { n };
    LocalGeneric<string>.Value = "generic " + name; LocalGeneric<string>.N = n; LocalGeneric<string>.Items = new() { name };
    LocalGeneric<int>.Value = n * 3; LocalGeneric<int>.N = n; LocalGeneric<int>.Items = new() { n };
    LocalGeneric<Reading>.Value = new Reading { At = n }; LocalGeneric<Reading>.N = n;
    LocalInit.A += n; LocalInit.B += name;
    LocalMixed.Set(name, n);
    lock (Keep) {
      string w = name;
      Console.WriteLine($"L {w}.Local.Object {Place(ref Local.Object):x} {w}.Local.Number {Place(ref Local.Number):x} {w}.Local.Text {Place(ref Local.Text):x} {w}.Local.Long {Place(ref Local.Long):x} {w}.Local.Flag {Place(ref Local.Flag):x} {w}.Local.Struct {Place(ref Local.Struct):x}");
      Console.WriteLine($"L {w}.LocalNumbers.A {Place(ref LocalNumbers.A):x} {w}.LocalNumbers.B {Place(ref LocalNumbers.B):x} {w}.LocalNumbers.C {Place(ref LocalNumbers.C):x} {w}.LocalNumbers.D {Place(ref LocalNumbers.D):x} {w}.LocalRefs.A {Place(ref LocalRefs.A):x} {w}.LocalRefs.B {Place(ref LocalRefs.B):x}");
      Console.WriteLine($"L {w}.LocalGenericString.Value {Place(ref LocalGeneric<string>.Value):x} {w}.LocalGenericString.N {Place(ref LocalGeneric<string>.N):x} {w}.LocalGenericString.Items {Place(ref LocalGeneric<string>.Items):x} {w}.LocalGenericInt.Value {Place(ref LocalGeneric<int>.Value):x} {w}.LocalGenericInt.N {Place(ref LocalGeneric<int>.N):x} {w}.LocalGenericInt.Items {Place(ref LocalGeneric<int>.Items):x}");
      Console.WriteLine($"L {w}.LocalInit.A {Place(ref LocalInit.A):x} {w}.LocalInit.B {Place(ref LocalInit.B):x} {LocalMixed.Get()} 0");
    }
  }

  static unsafe int Main(string[] args) {
    for (int i = 0; i < 1000; i++) {
      Statics.Orders.Add(i % 3 == 0 ? new Special { Id = i } : i % 3 == 1 ? new VerySpecial { Id = i, Customer = "c" + i } : new Order { Id = i });
      Keep.Add(new Sequenced { B = i }); Keep.Add(new SequencedRef { D = i }); Keep.Add(new Placed { B = i });
      Keep.Add(new WithValues()); Keep.Add(new WithMany()); Keep.Add(new Derived3()); Keep.Add(new Derived2()); Keep.Add(new Derived1());
      Keep.Add(new Leaf(i) { Weight = i, Age = 3, Text = "leaf" }); Keep.Add(new Person(true, "p" + i, 3, i)); Keep.Add(new Spot(1, 2, 3));
      Keep.Add(new Callbacks()); Keep.Add(new Pointers { F = &Twice }); Keep.Add(new NumberHolder()); Keep.Add(new PaddedCounter());
      Keep.Add(new Box<string>()); Keep.Add(new Box<Cell<byte, string>>()); Keep.Add(new Box<Cell<long, byte>>());
    }
    Add(new Reading { At = 1 }, 1000); Add(new Named(), 1000); Add(new AutoReading(), 1000); Add(new Packed(), 1000); Add(new Sized(), 1000); Add(new Union(), 1000);
    Add(new Small(), 1000); Add(new Three(), 1000); Add(new Outer(), 1000); Add(new Cell<byte, long>(), 1000); Add(new Cell<string, byte>(), 1000); Add(new Spot(1, 2, 3), 1000); Add(new Empty(), 10);
    Keep.Add(new Enums());
    var inl = new Inlines();
    for (int i = 0; i < 8; i++) inl.B[i] = (byte)(i + 1);
    for (int i = 0; i < 5; i++) inl.I[i] = 10 * (i + 1);
    for (int i = 0; i < 3; i++) { inl.O[i] = "object" + i; inl.Strings[i] = "string" + i; inl.Small[i] = (byte)(20 + i); }
    for (int i = 0; i < 4; i++) { inl.R[i].At = 100 + i; inl.E[i] = (Rights)(i + 1); }
    for (int i = 0; i < 6; i++) inl.S[i] = (short)(-i);
    for (int i = 0; i < 16; i++) inl.F.Bytes[i] = (byte)(i * 2);
    for (int i = 0; i < 7; i++) inl.F.Chars[i] = (char)('a' + i);
    for (int i = 0; i < 3; i++) { inl.F.Ints[i] = 7 * i; inl.F.Bools[i] = i == 1; }
    inl.F.Doubles[1] = 0.25; inl.F.One[0] = 9;
    Keep.Add(inl); Keep.Add(inl.F); Keep.Add(new Buffers[3]); Keep.Add(inl.I); Keep.Add(new ThreeObjects[2]);
    Statics.Inline[2] = 77; Statics.Nothing = null;
    Keep.Add(StaticInStruct.Name + StaticInStruct.Count + Lazy.When + OnlyRefs.A + OnlyRefs.B + OnlyRefs.C.Count + OnlyNumbers.A + OnlyNumbers.B + OnlyNumbers.C + OnlyNumbers.D + OnlyNumbers.E + Statics.Data[1]);
    GenericStatic<string>.Value = "gs"; GenericStatic<string>.Count = 3; GenericStatic<int>.Value = 12; GenericStatic<int>.Count = 4; GenericStatic<Reading>.Value.At = 5; GenericStatic<string>.Items.Add("x"); GenericStatic<int>.Items.Add(1); GenericStatic<Reading>.Items.Add(default);
    if (args.Length > 5) Console.WriteLine(NeverUsed.Name + NeverUsed.N);
    Keep.Add(Statics.Number + Statics.Tiny + Statics.Long + Statics.Real + Statics.Text + Statics.WithRefs.B + Statics.Array.Length + Statics.Money + Statics.Big + Statics.Maybe + Statics.Flag + Statics.Rights + Statics.Struct.At + Local.Shared + Local.SharedText + LocalMixed.S1 + LocalMixed.N1 + LocalMixed.S2);
    Locals("main", 1);
    for (int t = 0; t < 2; t++) { int n = t; new Thread(() => { Locals("worker" + n, 10 + n); ready.Signal(); gate.Wait(); GC.KeepAlive(LocalMixed.Get()); }) { IsBackground = true, Name = "worker" + n }.Start(); }
    ready.Wait();
    GC.Collect(); GC.Collect();
    Console.WriteLine($"S Number {Place(ref Statics.Number):x} Flag {Place(ref Statics.Flag):x} Tiny {Place(ref Statics.Tiny):x} Long {Place(ref Statics.Long):x} Real {Place(ref Statics.Real):x} Struct {Place(ref Statics.Struct):x} Rights {Place(ref Statics.Rights):x} Text {Place(ref Statics.Text):x} WithRefs {Place(ref Statics.WithRefs):x} Array {Place(ref Statics.Array):x} Inline {Place(ref Statics.Inline):x} Money {Place(ref Statics.Money):x} Big {Place(ref Statics.Big):x} Maybe {Place(ref Statics.Maybe):x} Orders {Place(ref Statics.Orders):x}");
    Console.WriteLine($"S OnlyNumbers.A {Place(ref OnlyNumbers.A):x} OnlyNumbers.B {Place(ref OnlyNumbers.B):x} OnlyNumbers.C {Place(ref OnlyNumbers.C):x} OnlyNumbers.D {Place(ref OnlyNumbers.D):x} OnlyNumbers.E {Place(ref OnlyNumbers.E):x} OnlyRefs.A {Place(ref OnlyRefs.A):x} OnlyRefs.C {Place(ref OnlyRefs.C):x} GenString.Value {Place(ref GenericStatic<string>.Value):x} GenString.Count {Place(ref GenericStatic<string>.Count):x} GenInt.Value {Place(ref GenericStatic<int>.Value):x} GenInt.Count {Place(ref GenericStatic<int>.Count):x} Mixed.S1 {Place(ref LocalMixed.S1):x} Mixed.N1 {Place(ref LocalMixed.N1):x} Mixed.S2 {Place(ref LocalMixed.S2):x}");
    Locals("main", 1);
    Console.WriteLine("READY");
    Console.Out.Flush();
    Thread.Sleep(Timeout.Infinite);
    return 0;
  }
}
}
