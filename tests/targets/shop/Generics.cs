// SPDX-License-Identifier: MIT
using Catalog;

namespace Shop;

/// <summary>Constructed types: shared and unshared code, nesting, constraints, recursion.</summary>
static class Generics
{
    public static object[] All() =>
    [
        new Box<int>(), new Box<string>(), new Box<object>(), new Box<double>(), new Box<SequentialStruct>(), new Box<Box<int>>(), new Box<Box<string>[]>(),
        new Box<(int, string)>(), new Box<int?>(), new Box<DayOfWeek>(), new Box<int[,]>(), new Box<Guid>(),
        new Box<int>.Lid(), new Box<string>.Lid(), new Box<int>.Sticker<string>(), new Box<Order>.Sticker<Money>.Corner(), new Box<int>.Seal.Stamp<byte>(),
        new Pair<int, string>(), new Pair<string, int>(), new Pair<Pair<int, int>, List<string>>(), new Triple<byte, Order, decimal>(),
        new Repository<Order>(), new Repository<Product>(), new Numeric<int>(), new Numeric<decimal>(),
        new Self(), new Chain<Chain<Chain<int>>>(), new OrderBox(), new Shelf<Product>(), new Shelf<int>(),
        Comparer<Money>.Default, EqualityComparer<Guid>.Default, new Lazy<Order>(() => null!), new Generation<string, int[]>(),
    ];
}

class Box<T>
{
    public static T? Default;
    public static int Made = typeof(T).Name.Length;
    T? content;
    byte flag;

    public class Lid { T? under; }
    public class Sticker<U> { T? on; U? text; public class Corner { T? t; U? u; } }
    public class Seal { public struct Stamp<V> { T? t; V? v; } }
}

struct Pair<T, U> { T? first; byte gap; U? second; }
class Triple<A, B, C> { A? a; B? b; C? c; }
class Repository<T> where T : Entity { readonly Dictionary<int, T> items = []; readonly Func<T, bool> filter = static item => item.Id > 0; }
class Numeric<T> where T : struct, System.Numerics.INumber<T> { T one = T.One; }
class Self : IComparable<Self>, IEquatable<Self>
{
    public int CompareTo(Self? other) => 0;
    public bool Equals(Self? other) => ReferenceEquals(this, other);
}
class Chain<T> { T? next; Chain<Chain<T>>? longer; }
class OrderBox : Box<Order> { int extra; }
class Shelf<T> : Box<List<T>> { T[] row = new T[2]; }
class Generation<TParent, TChild> : Triple<TParent, TChild, Generation<TParent, TChild>> { }
