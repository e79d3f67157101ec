// SPDX-License-Identifier: MIT
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Shop;

/// <summary>Handles, finalizers, weak tables, pinned and large objects.</summary>
static class Lifetimes
{
    static readonly ConditionalWeakTable<object, Attachment> attachments = [];

    public static object[] All()
    {
        object strong = new Tagged("strong"), weak = new Tagged("weak"), tracked = new Tagged("tracked"), key = new Tagged("key"), table = new Tagged("table");
        byte[] pinned = [1, 2, 3];
        GCHandle[] handles =
        [
            GCHandle.Alloc(strong), GCHandle.Alloc(pinned, GCHandleType.Pinned), GCHandle.Alloc(weak, GCHandleType.Weak),
            GCHandle.Alloc(tracked, GCHandleType.WeakTrackResurrection), GCHandle.Alloc("a string held by a handle"),
        ];
        attachments.Add(table, new Attachment { Data = new byte[333], Back = table });  // a cycle through a dependent handle
        Forget();
        return
        [
            handles, weak, tracked, key, table, new DependentHandle(key, new Tagged("secondary")), Hashed(),
            Enumerable.Range(0, 20).Select(i => new Resource(i)).ToArray(), Suppressed(), new CriticalResource(),
            GC.AllocateArray<byte>(1000, pinned: true), GC.AllocateArray<long>(20, pinned: true), GC.AllocateUninitializedArray<char>(31, pinned: true),
            new byte[200_001], new double[30_000], new object[12_000], new string('L', 60_000),
        ];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Forget()
    {
        for (int i = 0; i < 10; i++)
            _ = new Resource(-i);
        _ = new Stubborn();
    }

    static object Suppressed()
    {
        var resource = new Resource(99);
        GC.SuppressFinalize(resource);
        return resource;
    }

    static Tagged[] Hashed()
    {
        var items = Enumerable.Range(0, 10).Select(i => new Tagged("hashed " + i)).ToArray();
        foreach (var item in items)
            RuntimeHelpers.GetHashCode(item);
        return items;
    }

    sealed class Tagged(string tag) { readonly string tag = tag; }
    sealed class Attachment { public byte[]? Data; public object? Back; }
    sealed class Resource(int number)
    {
        readonly int number = number;
        ~Resource() => Statics.Finalized++;
    }
    // Blocks the finalizer thread, so that what is ready to be finalized stays in its queue.
    sealed class Stubborn
    {
        ~Stubborn() => Thread.Sleep(Timeout.Infinite);
    }
    sealed class CriticalResource : System.Runtime.ConstrainedExecution.CriticalFinalizerObject
    {
        readonly nint handle = 5;
        ~CriticalResource() { }
    }
}
