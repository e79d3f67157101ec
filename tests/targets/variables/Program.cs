// SPDX-License-Identifier: MIT
// One chain of calls whose variables are known. What each holds when the dump is taken stands beside it, as Heapscape
// writes it, and is printed: {"method", "name", "value"}. Keep() after a call has optimised code keep a variable.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Variables;

enum Colour { Red, Green = 5, Blue = 9 }
[Flags] enum Rights : byte { None = 0, Read = 1, Write = 2, Run = 8 }

struct Small { public int Left; public int Right; }
struct Pair { public long First; public double Second; }
struct Mixed { public object Thing; public int Number; public byte Tail; }
struct Large { public long A, B, C, D, E; }
struct Wrapped { public short Value; }

static class Program {
  static int Main() {
    Console.Out.Flush();
    Primitives(true, -5, 200, -3000, 60000, -70000, 3000000000, -5000000000, 18000000000000000000, 'ж');
    return 0;
  }

  static void Is(string name, string value, [CallerMemberName] string method = "") {
    static string Quoted(string text) => "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
    Console.WriteLine($"{{\"method\":{Quoted(method)},\"name\":{Quoted(name)},\"value\":{Quoted(value)}}}");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Keep<T>(T value) { }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void KeepRef<T>(ref T value) { }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Number(int number) => number;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Primitives(bool yes, sbyte tiny, byte octet, short brief, ushort word, int whole, uint natural,
                         long wide, ulong widest, char letter) {
    Is("yes", "true"); Is("tiny", "-5"); Is("octet", "200"); Is("brief", "-3000"); Is("word", "60000");
    Is("whole", "-70000"); Is("natural", "3000000000"); Is("wide", "-5000000000");
    Is("widest", "18000000000000000000"); Is("letter", "'ж'");
    int doubled = Number(21) * 2;
    bool isLarge = doubled > 41;
    long sum = wide + doubled;
    Is("doubled", "42"); Is("isLarge", "true"); Is("sum", "-4999999958");
    Reals(1.5, 2.25f, 123456.789m, doubled);
    Keep(yes); Keep(tiny); Keep(octet); Keep(brief); Keep(word); Keep(whole); Keep(natural); Keep(wide); Keep(widest);
    Keep(letter); Keep(doubled); Keep(isLarge); Keep(sum);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Reals(double real, float single, decimal money, int times) {
    Is("real", "1.5"); Is("single", "2.25"); Is("money", "123456.789"); Is("times", "42");
    double half = real / 2;
    float triple = single * 3;
    Is("half", "0.75"); Is("triple", "6.75");
    Names(Colour.Green, Rights.Read | Rights.Run, null, 77, new DateTime(2024, 2, 29, 12, 30, 0),
          TimeSpan.FromMinutes(90), new Guid("00112233-4455-6677-8899-aabbccddeeff"));
    Keep(real); Keep(single); Keep(money); Keep(times); Keep(half); Keep(triple);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Names(Colour colour, Rights rights, int? nothing, int? something, DateTime when, TimeSpan length,
                    Guid id) {
    Is("colour", "Green"); Is("rights", "Read | Run"); Is("nothing", "null"); Is("something", "77");
    Is("when", "2024-02-29 12:30:00"); Is("length", "01:30:00"); Is("id", "00112233-4455-6677-8899-aabbccddeeff");
    Colour other = (Colour)Number(9);
    Is("other", "Blue");
    var small = new Small { Left = Number(3), Right = Number(4) };
    var pair = new Pair { First = Number(5), Second = Number(3) / 2.0 };
    var mixed = new Mixed { Thing = "held", Number = Number(6), Tail = 7 };
    var large = new Large { A = Number(1), B = 2, C = 3, D = 4, E = 5 };
    Structures(small, pair, mixed, large, new Wrapped { Value = 12 });
    Keep(colour); Keep(rights); Keep(nothing); Keep(something); Keep(when); Keep(length); Keep(id); Keep(other);
    KeepRef(ref small); KeepRef(ref large);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Structures(Small small, Pair pair, Mixed mixed, Large large, Wrapped wrapped) {
    Is("small", "{ Left = 3, Right = 4 }"); Is("pair", "{ First = 5, Second = 1.5 }");
    Is("mixed", "{ Thing = \"held\", Number = 6, Tail = 7 }"); Is("large", "{ A = 1, B = 2, C = 3, D = 4, … }");
    Is("wrapped", "{ Value = 12 }");
    int counted = Number(8);
    Span<int> numbers = stackalloc int[4];
    numbers[1] = 11;
    Is("counted", "8");
    References("text", new object(), ref counted, new[] { 1, 2, 3 }, numbers);
    Keep(small); Keep(pair); Keep(mixed); Keep(large); Keep(wrapped); Keep(counted); Keep(numbers[1]);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static unsafe void References(string text, object thing, ref int counted, int[] array, Span<int> numbers) {
    Is("text", "text"); Is("counted", "8");
    object none = Number(0) == 0 ? null! : thing;
    Is("none", "null");
    fixed (int* pinned = array) {
      int there = *pinned + Number(29);
      Is("there", "30");
      nint handle = Number(4660);
      Is("handle", "0x1234");
      new Box<string, int>("name", 5).Generic(Number(6));
      Keep(there); Keep(handle); Keep((nint)pinned);
    }
    Keep(text); Keep(thing); KeepRef(ref counted); Keep(array); Keep(numbers[0]); Keep(none);
  }
}

sealed class Box<TName, TValue> {
  readonly TName m_name;
  readonly TValue m_value;
  public Box(TName name, TValue value) { m_name = name; m_value = value; }

  static void Is(string name, string value, string method) => Console.WriteLine(
      $"{{\"method\":\"{method}\",\"name\":\"{name}\",\"value\":\"{value.Replace("\"", "\\\"")}\"}}");
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Keep<T>(T value) { }

  [MethodImpl(MethodImplOptions.NoInlining)]
  public void Generic(int number) {
    TName name = m_name;
    TValue value = m_value;
    KeyValuePair<TName, TValue> both = new(name, value);
    Is("number", "6", "Generic"); Is("name", "name", "Generic"); Is("value", "5", "Generic");
    Is("both", "[\"name\", 5]", "Generic");
    Many(name, 9L, new Counter { Count = 3 });
    Keep(this); Keep(number); Keep(name); Keep(value); Keep(both);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Many<TFirst, TSecond>(TFirst first, TSecond second, Counter counter) {
    Is("first", "name", "Many"); Is("second", "9", "Many"); Is("counter", "{ Count = 3 }", "Many");
    (TFirst, TSecond) tuple = (first, second);
    counter.Advance(2);
    Keep(first); Keep(second); Keep(counter); Keep(tuple);
  }
}

struct Counter {
  public int Count;

  [MethodImpl(MethodImplOptions.NoInlining)]
  public void Advance(int by) {
    static void Is(string name, string value, string method) =>
        Console.WriteLine($"{{\"method\":\"{method}\",\"name\":\"{name}\",\"value\":\"{value}\"}}");
    Is("by", "2", "Advance");
    Is("this", "{ Count = 3 }", "Advance");
    for (int round = Number(1); round < 2; ++round) {
      int inLoop = round + 20;
      Is("round", "1", "Advance"); Is("inLoop", "21", "Advance");
      Handle(by);
      Count += inLoop + by;
    }
    { int behind = Count * 2; Handle(behind); }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Number(int number) => number;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Handle(int given) {
    static void Is(string name, string value, string method) =>
        Console.WriteLine($"{{\"method\":\"{method}\",\"name\":\"{name}\",\"value\":\"{value}\"}}");
    int outside = Number(51);
    Is("outside", "51", "Handle"); Is("given", "2", "Handle"); Is("caught", "61", "Handle");
    try {
      int inTry = Number(52);
      if (outside + inTry > 0) throw new InvalidOperationException("on purpose");
    } catch (InvalidOperationException e) {
      int caught = Number(61);
      Console.WriteLine("ready");
      Console.Out.Flush();
      Thread.Sleep(Timeout.Infinite);
      GC.KeepAlive(e);
      Console.WriteLine(caught);
    }
    Console.WriteLine(outside + given);
  }
}
