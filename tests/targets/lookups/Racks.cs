// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Lookups;

class Box<T> { }
class Can<T> { }
class Jar<T> { }
class Tin<T> { }
class Urn<T> { }
class Vat<T> { }
class Keg<T> { }
class Pot<T> { }
class Cup<T> { }

/// Shared code that looks up three things, fewer than every dictionary has room for.
class Shelf<T> {
    [MethodImpl(MethodImplOptions.NoInlining)] public object Box() => new Box<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Can() => new Can<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public static object Jar() => new Jar<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public Type Argument() => typeof(T);
}

/// Shared code that looks up more than a new dictionary has room for: the layout grows when it is compiled.
class Rack<T> {
    [MethodImpl(MethodImplOptions.NoInlining)] public object Box() => new Box<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Can() => new Can<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Jar() => new Jar<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Tin() => new Tin<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Urn() => new Urn<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Vat() => new Vat<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Keg() => new Keg<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Pot() => new Pot<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public object Cup() => new Cup<T>();

    public object[] All() => [Box(), Can(), Jar(), Tin(), Urn(), Vat(), Keg(), Pot(), Cup()];
}

/// Loaded before the dictionary of its base grew, and used since for nothing that lies behind the old one's end.
class EarlyRack : Rack<string> { }
/// Loaded before as well, but used since.
class UsedRack : Rack<string> { }
/// Loaded after it had grown.
class LateRack : Rack<string> { }

/// The methods of a value type get its method table as a hidden argument.
struct Crate<T> {
    public T Content;
    [MethodImpl(MethodImplOptions.NoInlining)] public object Box() => new Box<T>();
}

interface ILabel<T> {
    [MethodImpl(MethodImplOptions.NoInlining)] object Label() => new Can<T>();
}
class Label : ILabel<string> { }

/// Generic methods have dictionaries of their own.
static class Maker {
    [MethodImpl(MethodImplOptions.NoInlining)] public static object Make<T>() => new Box<T>();
    [MethodImpl(MethodImplOptions.NoInlining)] public static object[] MakeAll<T>() =>
        [new Box<T>(), new Can<T>(), new Jar<T>(), new Tin<T>(), new Urn<T>(), new Vat<T>()];
}

static class Racks {
    public static object[] Kept = [];

    public static void Fill() {
        var early = new EarlyRack();
        var used = new UsedRack();
        Keep([early.Box(), used.Box(), early, used]);

        var filled = new Shelf<string>();
        Keep([filled.Box(), filled.Can(), Shelf<string>.Jar(), filled.Argument(), filled]);
        var half = new Shelf<Version>();
        Keep([half.Box(), half]);
        Keep([new Shelf<object>()]);

        var small = new Rack<Version>();
        Keep([small.Box(), small]);
        var grown = new Rack<string>();
        Keep(grown.All());
        Keep([grown, used.Cup(), Late()]);

        Keep([new Crate<string>().Box(), ((ILabel<string>)new Label()).Label()]);
        Keep([Maker.Make<string>(), Maker.Make<Version>()]);
        Keep(Maker.MakeAll<string>());
    }

    static void Keep(object[] objects) {
        Array.Resize(ref Kept, Kept.Length + objects.Length);
        Array.Copy(objects, 0, Kept, Kept.Length - objects.Length, objects.Length);
    }

    // Not part of Fill, so that its type is not loaded before Fill runs.
    [MethodImpl(MethodImplOptions.NoInlining)] static object Late() => new LateRack();
}
