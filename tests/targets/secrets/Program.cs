// SPDX-License-Identifier: MIT
// Plants secrets wherever a process can keep one, and prints each as a line of JSON: what a redacted copy of its dump
// must not have in any encoding. Secrets are made from a seed, so that a second run plants the same ones.
using System.Buffers.Text;
using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security;
using System.Text;
using System.Text.Json;

namespace Secrets;

static class Planted {
  static readonly Random s_random = new(20251);
  static readonly List<string> s_lines = new();

  // Made of pieces, so that the secret itself stands in no literal.
  public static string Text(string kind) {
    var text = new StringBuilder("hs");
    for (int i = 0; i < 18; ++i) text.Append((char)('a' + s_random.Next(26)));
    Note(kind, text.ToString());
    return text.ToString();
  }

  public static long Number(string kind) {
    long number = s_random.NextInt64(long.MaxValue / 4, long.MaxValue / 2) | 0x0101_0101_0101_0101;
    Note(kind, BitConverter.GetBytes(number));
    return number;
  }

  public static byte[] Bytes(string kind, int count = 24) {
    var bytes = new byte[count];
    s_random.NextBytes(bytes);
    Note(kind, bytes);
    return bytes;
  }

  public static void Note(string kind, string text) =>
      s_lines.Add($"{{\"kind\": \"{kind}\", \"text\": \"{text}\"}}");
  public static void Note(string kind, byte[] bytes) =>
      s_lines.Add($"{{\"kind\": \"{kind}\", \"hex\": \"{Convert.ToHexString(bytes)}\"}}");

  // The lines themselves hold all secrets: they leave the process, and what held them is garbage, as much else is.
  public static void Print() {
    foreach (string line in s_lines) Console.WriteLine(line);
    Console.Out.Flush();
    s_lines.Clear();
  }
}

struct Card {
  public long Number;
  public int Month;
  public decimal Limit;
  public Guid Id;
  public DateTime Until;
}

enum Level : long { None = 0, Hidden = 0x51A7_0DDB_A11C_0DE5 }

class Account {
  public string Owner = "";
  public long Number;
  public double Balance;
  public Card Card;
  public object? Boxed;
  public Level Level;
  public bool IsOpen;
  public long? Maybe;
  public (long, string) Pair;
  public unsafe struct Fixed { public fixed byte Pin[24]; }
  public Fixed Pin;
}

sealed class Dying {
  public string Will = "";
  public long Sum;
  ~Dying() { Thread.Sleep(Timeout.Infinite); }
}

static class Kept {
  public const string Literal = "hsconstantliteralabcde";
  public static string Text = "";
  public static long Number;
  public static Card Card;
  public static decimal Amount;
  public static Guid Id;
  [ThreadStatic] public static string? OfThread;
  [ThreadStatic] public static long NumberOfThread;
  public static readonly byte[] Initialised = { 0x5A, 0x13, 0xC7, 0x91, 0xE2, 0x3B, 0x84, 0x6F, 0x1D, 0xA9, 0x70, 0xF4 };
  public static readonly List<object> All = new();
  public static readonly ManualResetEventSlim Never = new();
}

[AttributeUsage(AttributeTargets.All)]
sealed class NoteAttribute : Attribute {
  public NoteAttribute(string text) { }
}

[Note("hsattributevalueabcdef")]
static unsafe class Program {
  static Program() {
    Planted.Note("literal in metadata", "hsconstantliteralabcde");
    Planted.Note("literal in code", "hsliteralincodeabcdefg");
    Planted.Note("value of an attribute", "hsattributevalueabcdef");
    Planted.Note("initial value of an array", Kept.Initialised);
    Planted.Note("number in code", BitConverter.GetBytes(0x6B1D_F00D_CAFE_51E7));
  }

  static void Main(string[] arguments) {
    if (arguments.Length > 0) Planted.Note("command line", arguments[0]);
    if (Environment.GetEnvironmentVariable("HS_SECRET") is { } variable) Planted.Note("environment", variable);
    Fields();
    Texts();
    Collections();
    Native();
    Emitted();
    Garbage();
    Threads();
    Finalizers();
    Planted.Print();
    Console.WriteLine("ready");
    Console.Out.Flush();
    Locals(Planted.Text("argument"), 0x6B1D_F00D_CAFE_51E7);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Locals(string argument, long number) {
    long local = number ^ argument.Length;
    Card card = new() { Number = local * 3 };
    char* characters = stackalloc char[32];
    "hsliteralincodeabcdefg".CopyTo(new Span<char>(characters, 32));
    Kept.Never.Wait();
    GC.KeepAlive(argument);
    Console.WriteLine(local + card.Number + characters[3]);
  }

  static void Fields() {
    var account = new Account { Owner = Planted.Text("field"), Number = Planted.Number("number in a field"), Level = Level.Hidden, IsOpen = true };
    Planted.Note("enum", BitConverter.GetBytes((long)Level.Hidden));
    account.Balance = BitConverter.Int64BitsToDouble(Planted.Number("double"));
    account.Card = MadeCard("structure");
    account.Boxed = Planted.Number("box");
    account.Maybe = Planted.Number("nullable");
    account.Pair = (Planted.Number("tuple"), Planted.Text("text in a tuple"));
    byte[] pin = Planted.Bytes("fixed buffer");
    for (int i = 0; i < pin.Length; ++i) account.Pin.Pin[i] = pin[i];
    Kept.All.Add(account);
    Kept.Text = Planted.Text("static");
    Kept.Number = Planted.Number("number in a static");
    Kept.Card = MadeCard("structure in a static");
    Kept.Amount = Kept.Card.Limit;
    Kept.Id = Kept.Card.Id;
    Kept.All.Add(new Card[] { MadeCard("element"), MadeCard("second element") });
    Kept.All.Add(new long[] { Planted.Number("array of numbers"), 1 });
    Kept.All.Add(new[,] { { Planted.Number("array of two dimensions"), 2 } });
    Kept.All.Add((object)MadeCard("boxed structure"));
  }

  static Card MadeCard(string kind) {
    byte[] id = Planted.Bytes("guid of " + kind, 16);
    int[] parts = { (int)Planted.Number("decimal of " + kind), 0x1234567, 0x7654321 };
    Planted.Note("decimal of " + kind, BitConverter.GetBytes(parts[0]).Concat(BitConverter.GetBytes(parts[1])).ToArray());
    return new() { Number = Planted.Number("number of " + kind), Month = 11, Limit = new decimal(parts[0], parts[1], parts[2], false, 2), Id = new Guid(id), Until = new DateTime(2031, 7, 9) };
  }

  static void Texts() {
    Kept.All.Add(Planted.Text("characters").ToCharArray());
    Kept.All.Add(Encoding.UTF8.GetBytes(Planted.Text("UTF-8")));
    Kept.All.Add(new StringBuilder(Planted.Text("string builder")).Append(Planted.Text("appended")));
    var secure = new SecureString();
    foreach (char character in Planted.Text("secure string")) secure.AppendChar(character);
    Kept.All.Add(secure);
    Kept.All.Add(string.Intern(Planted.Text("interned")));
    Kept.All.Add(new Exception(Planted.Text("exception message"), new IOException(Planted.Text("inner message"))) { Data = { ["key"] = Planted.Text("data of an exception") } });
    Kept.All.Add(JsonDocument.Parse("{\"password\": \"" + Planted.Text("JSON") + "\"}"));
    Kept.All.Add(new Uri("https://example.org/?token=" + Planted.Text("address")));
    Kept.All.Add(Planted.Text("memory").AsMemory());
    Kept.All.Add(new Lazy<string>(() => Kept.Literal));
  }

  static void Collections() {
    Kept.All.Add(new Dictionary<string, long> { [Planted.Text("key")] = Planted.Number("value of a dictionary") });
    Kept.All.Add(new HashSet<long> { Planted.Number("set") });
    Kept.All.Add(new SortedDictionary<string, string> { [Planted.Text("sorted key")] = Planted.Text("sorted value") });
    var queue = new Queue<string>();
    queue.Enqueue(Planted.Text("left a queue"));
    queue.Dequeue();
    queue.Enqueue(Planted.Text("queue"));
    Kept.All.Add(queue);
    var list = new List<long> { Planted.Number("list"), Planted.Number("removed from a list") };
    list.RemoveAt(1);
    Kept.All.Add(list);
  }

  static void Native() {
    byte[] text = Encoding.UTF8.GetBytes(Planted.Text("native buffer"));
    IntPtr buffer = Marshal.AllocHGlobal(4096);
    Marshal.Copy(text, 0, buffer, text.Length);
    Kept.All.Add(buffer);
    IntPtr wide = Marshal.StringToHGlobalUni(Planted.Text("native text"));
    Kept.All.Add(wide);
    IntPtr large = Marshal.AllocHGlobal(1 << 20);
    for (int i = 0; i < 100; ++i) Marshal.WriteInt64(large, 8192 + 8 * i, i == 50 ? Planted.Number("large native buffer") : i);
    Kept.All.Add(large);
    IntPtr freed = Marshal.StringToHGlobalAnsi(Planted.Text("freed native text"));
    Marshal.FreeHGlobal(freed);
    var mapped = MemoryMappedFile.CreateNew(null, 1 << 16);
    var view = mapped.CreateViewAccessor();
    byte[] inMap = Encoding.UTF8.GetBytes(Planted.Text("memory-mapped"));
    view.WriteArray(128, inMap, 0, inMap.Length);
    Kept.All.Add(mapped);
    Kept.All.Add(view);
    string path = Path.Combine(Path.GetTempPath(), Planted.Text("file name"));
    File.WriteAllText(path, Planted.Text("contents of a file"));
    Kept.All.Add(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 4096, FileOptions.DeleteOnClose));
    ((FileStream)Kept.All[^1]).ReadByte();
    Kept.All.Add(MemoryMappedFile.CreateFromFile(path, FileMode.Open, null, 0, MemoryMappedFileAccess.Read));
    Kept.All.Add(GCHandle.Alloc(Planted.Bytes("pinned"), GCHandleType.Pinned));
    Kept.All.Add(GC.AllocateUninitializedArray<byte>(100_000, pinned: true));
    Encoding.UTF8.GetBytes(Planted.Text("pinned heap")).CopyTo((byte[])Kept.All[^1], 5000);
  }

  static void Emitted() {
    var method = new DynamicMethod("hidden", typeof(string), Type.EmptyTypes);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldstr, Planted.Text("literal of a dynamic method"));
    il.Emit(OpCodes.Ldc_I8, Planted.Number("number of a dynamic method"));
    il.Emit(OpCodes.Pop);
    il.Emit(OpCodes.Ret);
    var made = method.CreateDelegate<Func<string>>();
    made();
    Kept.All.Add(made);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Garbage() {
    for (int i = 0; i < 3; ++i) {
      var dead = new Account { Owner = Planted.Text("dead object"), Number = Planted.Number("number of a dead object") };
      GC.KeepAlive(dead);
    }
    var keepers = new List<object>();
    for (int i = 0; i < 200; ++i) {
      keepers.Add(GCHandle.Alloc(new byte[64], GCHandleType.Pinned));
      GC.KeepAlive(Encoding.UTF8.GetBytes(i == 100 ? Planted.Text("free block") : "nothing to hide here at all"));
    }
    GC.Collect();
    Kept.All.AddRange(keepers);
    DeadWords();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void DeadWords() {
    long* words = stackalloc long[512];
    long secret = Planted.Number("dead word of a stack");
    for (int i = 0; i < 512; ++i) words[i] = secret;
    byte[] text = Encoding.UTF8.GetBytes(Planted.Text("dead text of a stack"));
    Marshal.Copy(text, 0, (IntPtr)(words + 100), text.Length);
    if (words[3] == 1) Console.WriteLine();
  }

  static void Threads() {
    for (int i = 0; i < 3; ++i) {
      string name = Planted.Text("thread name");
      string kept = Planted.Text("thread static");
      long number = Planted.Number("number of a thread static");
      var started = new ManualResetEventSlim();
      new Thread(() => {
        Kept.OfThread = kept;
        Kept.NumberOfThread = number;
        DeadWords();
        started.Set();
        try {
          throw new InvalidOperationException(Planted.Text("message of an exception in flight"));
        } catch (InvalidOperationException) {
          Kept.Never.Wait();
        }
      }) { Name = name, IsBackground = true }.Start();
      started.Wait();
      Thread.Sleep(100);
    }
    Waiting.Async(Planted.Text("local of an async method"), Planted.Number("number of an async method")).ContinueWith(_ => { });
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void MakeDying() {
    for (int i = 0; i < 5; ++i)
      new Dying { Will = Planted.Text("finalizer queue"), Sum = Planted.Number("number in the finalizer queue") };
  }

  static void Finalizers() {
    MakeDying();
    GC.Collect();
    Thread.Sleep(200);
  }
}

static class Waiting {
  public static async Task Async(string text, long number) {
    await Task.Delay(Timeout.Infinite);
    Console.WriteLine(text + number);
  }
}
