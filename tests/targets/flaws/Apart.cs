// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Flaws;

/// What planting leaves behind on a stack would hold objects that are to be held by nothing; so it is done on threads
/// that have ended.
static class Apart
{
    static readonly List<Thread> ended = new(20);  // for threads have finalizers
    static readonly List<byte[]> shields = new(4);

    public static void Run(Action plant)
    {
        Thread thread = new(() => plant());
        ended.Add(thread);
        thread.Start();
        thread.Join();
    }

    /// Takes the places of young objects that are gone but that words on stacks still point to, so that nothing planted
    /// comes to lie there.
    public static void Shield() => shields.Add(Bytes(80_000, shields.Count));

    /// Words that earlier calls left where later ones will not write.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void ClearStack()
    {
        Span<byte> below = stackalloc byte[64 * 1024];
        below.Clear();
    }

    /// Bytes that look like data: neither equal nor zero.
    public static byte[] Bytes(int length, int seed)
    {
        byte[] bytes = new byte[length];
        Fill(bytes, seed);
        return bytes;
    }

    public static void Fill(byte[] bytes, int seed)
    {
        for (int i = 0; i < bytes.Length; i++) bytes[i] = (byte)(1 + (i * 7 + seed) % 251);
    }

    /// What this thread allocates meanwhile; called once before so that nothing else is made on the way.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Measure(Func<object> make)
    {
        make();
        long before = GC.GetAllocatedBytesForCurrentThread();
        object made = make();
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(made);
        return bytes;
    }
}
