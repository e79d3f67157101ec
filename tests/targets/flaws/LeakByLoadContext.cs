// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Flaws;

/// What a plug-in makes: this program, loaded a second time, is its own plug-in.
sealed class Plugin
{
    static readonly List<byte[]> cache = [Apart.Bytes(1500, 1), Apart.Bytes(1500, 2)];
    readonly byte[] data = Apart.Bytes(400, cache.Count);
    public Plugin? Next;
}

/// Collectible contexts that were told to unload and cannot.
static class LeakByLoadContext
{
    sealed class Stuck() : AssemblyLoadContext("stuck", isCollectible: true);
    sealed class Gone() : AssemblyLoadContext("gone", isCollectible: true);
    sealed class InUse() : AssemblyLoadContext("in use", isCollectible: true);

    static readonly List<object> forgotten = new(1);
    static readonly List<object> used = new(2);

    public static void Plant()
    {
        WeakReference? stuck = null, gone = null;
        Apart.Run(() => stuck = Load(new Stuck(), forgotten, unload: true));
        Apart.Run(() => gone = Load(new Gone(), [], unload: true));
        Apart.Run(() => Load(new InUse(), used, unload: false));
        Settle();
        if (!stuck!.IsAlive || gone!.IsAlive) throw new InvalidOperationException("a context did not do as planned");
        // The context with its lock and name, the plug-in, and what its static holds.
        long bytes = Planted.Object(64) + Planted.Object(0) + Planted.String("stuck".Length) + Planted.Object(16) + Planted.Array(400, 1) +
                     Planted.Object(16) + Planted.Array(2, 8) + 2 * Planted.Array(1500, 1);
        // What the runtime keeps for it: LoaderAllocator, its scout and slots, the type and the assembly. Measured once by
        // GC.GetTotalMemory, before and after a context could unload.
        bytes += Environment.Version.Major == 8 ? 320 : 336;
        Planted.Say("stuckLoadContext", typeof(Stuck).FullName!, 1, bytes, "static Flaws.LeakByLoadContext.forgotten");
        Planted.Say("stuckLoadContext", typeof(InUse).FullName!, 1, 0);  // mentioned, since it could unload
    }

    static void Settle()
    {
        for (int i = 0; i < 10; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        GC.Collect();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference Load(AssemblyLoadContext context, List<object> kept, bool unload)
    {
        Type plugin = context.LoadFromAssemblyPath(typeof(Plugin).Assembly.Location).GetType(typeof(Plugin).FullName!)!;
        kept.Add(Activator.CreateInstance(plugin)!);
        for (int i = 0; i < 50; i++) Activator.CreateInstance(plugin);
        if (unload) context.Unload();
        else used.Add(context);
        return new WeakReference(context);
    }
}
