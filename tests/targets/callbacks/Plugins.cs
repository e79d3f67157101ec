// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Callbacks;

/// What a plug-in makes: this program, loaded once more, is its own plug-in.
sealed class Plugin;

/// Collectible contexts of many classes, of which each has one that something still holds.
static class Plugins
{
    class Context() : AssemblyLoadContext(null, isCollectible: true);
    sealed class First : Context;
    sealed class Second : Context;
    sealed class Third : Context;
    sealed class Fourth : Context;
    sealed class Fifth : Context;
    sealed class Sixth : Context;
    sealed class Seventh : Context;
    sealed class Eighth : Context;
    sealed class Ninth : Context;
    sealed class Pair : Context;

    static readonly List<object> held = new(10);

    public static void Plant()
    {
        Context[] contexts = [new First(), new Second(), new Third(), new Fourth(), new Fifth(), new Sixth(), new Seventh(), new Eighth(), new Ninth(), new Pair()];
        foreach (Context context in contexts) held.Add(Load(context));
        Load(new Pair());  // which nothing holds; but there is no collection any more that would take it away
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static object Load(Context context)
    {
        object plugin = Activator.CreateInstance(context.LoadFromAssemblyPath(typeof(Plugin).Assembly.Location).GetType(typeof(Plugin).FullName!)!)!;
        context.Unload();
        return plugin;
    }
}
