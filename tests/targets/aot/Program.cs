// SPDX-License-Identifier: MIT
// A program for Native AOT that has one of most things, and prints where each lies: T object, H handle, O offsets, S
// statics, G generations. With the argument "crash" it then dies of an exception that nobody catches.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Zoo {
public interface INoise {
  string Noise();
}

public abstract class Animal : INoise {
  public int Age;
  protected string name;
  public Animal Friend;
  public abstract string Noise();
  public Animal(string n, int a) {
    name = n;
    Age = a;
  }
  public string Name => name;
}

public sealed class Dog : Animal {
  public double Weight;
  public bool Good;
  public long Chip;
  public Dog(string n, int a) : base(n, a) {
    Weight = a * 1.5;
    Good = true;
    Chip = 0x1122334455667788;
  }
  public override string Noise() => "wuff " + name;
}

public sealed class Cat : Animal {
  public List<Dog> Enemies = new();
  public Cat(string n, int a) : base(n, a) {}
  public override string Noise() => "miau " + name;
}

public struct Point {
  public int X, Y;
  public object Tag;
}

public enum Color : byte { Red = 1, Green = 2, Blue = 7 }

public class Pair<A, B> {
  public A First;
  public B Second;
  public Point P;
  public Color C;
}

public class Fin {
  public int N;
  ~Fin() { N = -1; }
}

public class Holder {
  public static Dictionary<string, Animal> Registry = new();
  public static int Counter = 4711;
  public static Pair<string, int> SP = new() { First = "static", Second = 99 };
  [ThreadStatic] public static object TS;
  [ThreadStatic] public static int TSInt;
  public static readonly int[] Primes = { 2, 3, 5, 7, 11, 13 };
  public static Point StaticPoint = new() { X = 5, Y = 6, Tag = "tagstatic" };
  public static Func<int, int> Twice;
  public static Task<int> Pending;
  public static TaskCompletionSource<int> Tcs = new();
  public static List<object> Boxes = new();
  public static GCHandle Strong, Weak, Pinned, WeakTrack;
  public static ConditionalWeakTable<object, object> Cwt = new();
  public static List<byte[]> Big = new();
}

public class Gen<T> {
  public static T Stat;
  public static List<T> L = new();
  [ThreadStatic] public static T TL;
}

public static class Program {
  static CountdownEvent ready = new(3);

  static unsafe nint Addr(object o) => *(nint*)Unsafe.AsPointer(ref o);

  static unsafe void Tell(string what, object o) {
    nint a = Addr(o);
    Console.WriteLine($"T {what} {a:x} {*(nint*)a:x} {o.GetType()}");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static async Task<int> Slow(string label, Dog d) {
    int local = 77;
    await Task.Yield();
    int v = await Holder.Tcs.Task;
    return v + local + label.Length + d.Age;
  }

  static unsafe nint Off<T>(object o, ref T f) => (nint)Unsafe.AsPointer(ref Unsafe.As<T, byte>(ref f)) - Addr(o);
  static unsafe nint Place<T>(ref T f) => (nint)Unsafe.AsPointer(ref Unsafe.As<T, byte>(ref f));

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void DeepStack(int n, Dog onStack, ManualResetEventSlim gate) {
    var local = new Pair<Dog, Cat> { First = onStack, Second = new Cat("stackcat" + n, n) };
    if (n > 0) {
      DeepStack(n - 1, onStack, gate);
    } else {
      Tell("stacklocal", local);
      ready.Signal();
      gate.Wait();
    }
    GC.KeepAlive(local);
    if (local.First.Age < 0) Console.WriteLine(local.Second.Name);
  }

  static void MakeAnimals() {
    for (int i = 0; i < 2000; i++) {
      Animal a = i % 2 == 0 ? new Dog("dog" + i, i) : new Cat("cat" + i, i);
      Holder.Registry[a.Name] = a;
      if (i > 0) a.Friend = Holder.Registry[(i - 1) % 2 == 0 ? "dog" + (i - 1) : "cat" + (i - 1)];
      if (a is Cat c) c.Enemies.Add((Dog)a.Friend);
    }
  }

  static void MakeBoxes() {
    object[] boxes = {
      42, 3.25, Color.Blue, new Point { X = 1, Y = 2, Tag = "tag" },
      new Pair<string, double> { First = "x", Second = 2.5, C = Color.Green }, new Pair<Dog, Cat>(),
      new int[,] { { 1, 2 }, { 3, 4 } }, new Point[3], new object[] { "a", 1 }, (long?)7L,
      new List<Point> { new() { X = 9 } }, new Fin(), typeof(Dog), new DateTime(2024, 1, 2), Guid.NewGuid(),
      (1, "two"), new Exception("made not thrown")
    };
    foreach (object box in boxes) Holder.Boxes.Add(box);
    try {
      throw new InvalidOperationException("thrown msg");
    } catch (Exception e) {
      Holder.Boxes.Add(e);
    }
    for (int i = 0; i < 5; i++) Holder.Big.Add(new byte[200000 + i]);
  }

  static void MakeHandles() {
    Holder.Strong = GCHandle.Alloc(Holder.Registry["dog0"]);
    Holder.Weak = GCHandle.Alloc(Holder.Registry["cat1"], GCHandleType.Weak);
    Holder.WeakTrack = GCHandle.Alloc(Holder.Registry["cat3"], GCHandleType.WeakTrackResurrection);
    Holder.Pinned = GCHandle.Alloc(new byte[100], GCHandleType.Pinned);
    Holder.Cwt.Add(Holder.Registry["dog2"], "attached");
    Gen<string>.Stat = "gs";
    Gen<string>.L.Add("gl");
    Gen<int>.Stat = 12;
    Gen<int>.L.Add(3);
    Gen<string>.TL = "tl";
    Gen<Point>.L.Add(new Point { X = 1 });
    Holder.TS = new Dog("tsmain", 1);
    Holder.TSInt = 314;
  }

  static void StartThreads(ManualResetEventSlim gate) {
    new Thread(() => {
      Holder.TS = new Cat("tsthread0", 0);
      Holder.TSInt = 0;
      Gen<string>.TL = "tl0";
      Tell("ts0", Holder.TS);
      lock (Holder.Boxes[4]) DeepStack(5, (Dog)Holder.Registry["dog6"], gate);
    }) { IsBackground = true, Name = "worker0" }.Start();
    new Thread(() => {
      Holder.TS = new Cat("tsthread1", 1);
      Tell("ts1", Holder.TS);
      DeepStack(3, (Dog)Holder.Registry["dog8"], gate);
    }) { IsBackground = true, Name = "w1" }.Start();
    while (ready.CurrentCount > 1) Thread.Sleep(5);
  }

  static void TellAll() {
    var d0 = (Dog)Holder.Registry["dog0"];
    var c1 = (Cat)Holder.Registry["cat1"];
    var pr = (Pair<string, double>)Holder.Boxes[4];
    Tell("dog0", d0);
    Tell("cat1", c1);
    Tell("registry", Holder.Registry);
    Tell("frozenstr", "hello literal");
    Tell("primes", Holder.Primes);
    Tell("tsmain", Holder.TS);
    Tell("pending", Holder.Pending);
    Tell("twice", Holder.Twice);
    Tell("genL", Gen<string>.L);
    Tell("SP", Holder.SP);
    Tell("pinned", Holder.Pinned.Target);
    for (int i = 0; i < Holder.Boxes.Count; i++) Tell("box" + i, Holder.Boxes[i]);
    for (int i = 0; i < Holder.Big.Count; i++) Tell("big" + i, Holder.Big[i]);
    foreach (var h in new[] { Holder.Strong, Holder.Weak, Holder.WeakTrack, Holder.Pinned })
      Console.WriteLine($"H {GCHandle.ToIntPtr(h):x} {Addr(h.Target):x}");
    Console.WriteLine($"O Dog.Age {Off(d0, ref d0.Age)} Dog.Friend {Off(d0, ref d0.Friend)} " +
                      $"Dog.Weight {Off(d0, ref d0.Weight)} Dog.Good {Off(d0, ref d0.Good)} " +
                      $"Dog.Chip {Off(d0, ref d0.Chip)} Cat.Enemies {Off(c1, ref c1.Enemies)} " +
                      $"Pair.First {Off(pr, ref pr.First)} Pair.Second {Off(pr, ref pr.Second)} " +
                      $"Pair.P {Off(pr, ref pr.P)} Pair.C {Off(pr, ref pr.C)}");
    Console.WriteLine($"S Counter {Place(ref Holder.Counter):x} Registry {Place(ref Holder.Registry):x} " +
                      $"StaticPoint {Place(ref Holder.StaticPoint):x} GenStr {Place(ref Gen<string>.Stat):x} " +
                      $"TS {Place(ref Holder.TS):x} TSInt {Place(ref Holder.TSInt):x}");
    var gi = GC.GetGCMemoryInfo();
    for (int g = 0; g < gi.GenerationInfo.Length; g++)
      Console.WriteLine($"G gen{g} size {gi.GenerationInfo[g].SizeAfterBytes} " +
                        $"frag {gi.GenerationInfo[g].FragmentationAfterBytes}");
  }

  static int Main(string[] args) {
    MakeAnimals();
    int mul = 2;
    Holder.Twice = x => x * mul;
    MakeBoxes();
    MakeHandles();
    Holder.Pending = Slow("label", (Dog)Holder.Registry["dog4"]);
    StartThreads(new ManualResetEventSlim());
    GC.Collect();
    GC.Collect();
    GC.WaitForPendingFinalizers();
    for (int i = 0; i < 100; i++) Gen<object>.L.Add(new Dog("young" + i, i));
    TellAll();
    Console.WriteLine("READY");
    Console.Out.Flush();
    if (args.Length > 0 && args[0] == "crash") Crash(null);
    Thread.Sleep(Timeout.Infinite);
    return 0;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Crash(Dog d) {
    throw new ArgumentException("unhandled one " + (d == null));
  }
}
}
