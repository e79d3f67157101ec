// SPDX-License-Identifier: MIT
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Crashes;

static class Memory
{
    static readonly List<byte[]> s_kept = [];

    // Wants DOTNET_GCHeapHardLimit.
    public static void Exhaust()
    {
        while (true) s_kept.Add(new byte[600_000]);
    }

    public static void AskForTooMuch() => s_kept.Add(new byte[int.MaxValue / 2]);

    public static void ExhaustNative() => Marshal.AllocHGlobal((nint)1 << 52);
}

static class Overflows
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int One(int depth) => One(depth + 1) + depth;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Fold(long dough) => Turn(dough) ^ dough;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Turn(long dough) => Press(dough + 1) ^ dough;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Press(long dough) => Fold(dough + 1) ^ dough;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Generic<T>(List<T> items, int depth) => Generic(items, depth + 1) + items.Count;
}

static class GivingUp
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Plain(string why) => Environment.FailFast(why);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void With(string why, Exception cause) => Environment.FailFast(why, cause);

    // Trace, unlike Debug, is in release builds.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Assert(int baked, int sold) => Trace.Assert(baked >= sold, "sold more than was baked", $"{sold} of {baked}");
}

static unsafe class Signals
{
    [DllImport("libc")] static extern void* memset(void* to, int value, nint bytes);
    [DllImport("libc")] static extern void abort();
    [DllImport("libc")] static extern int raise(int signal);
    [DllImport("libc")] static extern int kill(int process, int signal);
    [DllImport("libc")] static extern void free(nint memory);
    [DllImport("libc")] static extern void* mmap(void* at, nint bytes, int protection, int flags, int file, nint offset);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Violate() => *(int*)0x10000000 = 5;

    public static void ViolateInNative() => memset((void*)0x1234, 0, 100);
    public static void Abort() => abort();
    public static void FreeWhatIsNone() => free(0x1234567);
    public static void Raise(int signal) => raise(signal);
    public static void Kill(int signal) => kill(Environment.ProcessId, signal);

    // mmap(…, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS)
    public static void RunIllegal()
    {
        byte* code = (byte*)mmap(null, 4096, 7, 0x22, -1, 0);
        code[0] = 0x0f;
        code[1] = 0x0b;  // ud2
        ((delegate* unmanaged<void>)code)();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static byte Read(byte* from) => *from;

    public static void ReadBehindFile()
    {
        string name = Path.GetTempFileName();
        using var file = new FileStream(name, FileMode.Open, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.DeleteOnClose);
        byte* mapped = (byte*)mmap(null, 4096, 1, 1, (int)file.SafeFileHandle.DangerousGetHandle(), 0);
        Read(mapped);
    }

    public static void CallNowhere() => ((delegate* unmanaged<void>)0x4242)();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteReadOnly()
    {
        byte* page = (byte*)mmap(null, 4096, 1, 0x22, -1, 0);
        page[8] = 1;
    }

    // Writes over the method table of the object behind an array; the collection that follows finds it.
    public static void CorruptHeap()
    {
        var before = new byte[64];
        var behind = new object[64];
        fixed (byte* bytes = before)
        {
            for (int i = 64; i < 512; i++) bytes[i] = 0x5a;
        }
        GC.Collect();
        GC.KeepAlive(behind);
        GC.KeepAlive(before);
    }
}
