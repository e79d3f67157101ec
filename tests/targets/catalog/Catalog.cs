// SPDX-License-Identifier: MIT
// The shop's domain: what a person who opens the sample dump recognises.
namespace Catalog;

public enum Category : byte { Books, Games, Garden, Kitchen, Music, Toys }

public enum OrderState : short { Draft, Paid, Packed, Shipped, Returned = -1 }

public readonly record struct Money(decimal Amount, Currency Currency);

public enum Currency : ushort { Euro = 978, Dollar = 840 }

public readonly record struct Size(float Width, float Height, float Depth);

/// <summary>Anything that the shop keeps under a number.</summary>
public abstract class Entity
{
    protected Entity(int id) => Id = id;

    public int Id { get; }
    public DateTime Created { get; init; }
}

public class Product : Entity
{
    public Product(int id, string name) : base(id) => Name = name;

    public string Name { get; }
    public Category Category { get; init; }
    public Money Price { get; init; }
    public Size Size { get; init; }
    public double? Rating { get; set; }
    public List<Review> Reviews { get; } = [];
}

/// <summary>A third level of inheritance, with small fields that fit into its parents' gaps or not.</summary>
public sealed class BundledProduct(int id, string name, Product[] parts) : Product(id, name)
{
    public Product[] Parts { get; } = parts;
    public bool Discounted { get; set; }
    public byte Discount { get; set; }
}

public sealed record Review(Customer Author, byte Stars, string Text);

public record Address(string Street, string City, string Country);

public class Customer : Entity
{
    public Customer(int id, string name, Address home) : base(id) => (Name, Home) = (name, home);

    public string Name { get; }
    public Address Home { get; }
    public Guid Token { get; init; }
    public HashSet<Category> Interests { get; init; } = [];
    public Customer? ReferredBy { get; init; }
    public List<Order> Orders { get; } = [];
}

public sealed class Order : Entity
{
    public Order(int id, Customer customer) : base(id) => Customer = customer;

    // Flags between wide fields: what an order wastes in padding is worth a look.
    public bool Gift;
    public long Number;
    public bool Express;
    public OrderState State;

    public Customer Customer { get; }
    public List<OrderLine> Lines { get; } = [];
    public DateTimeOffset? Shipped { get; set; }
    public event Action<Order>? Changed;

    public Money Total => new(Lines.Sum(line => line.Quantity * line.Product.Price.Amount), Currency.Euro);

    public void Notify() => Changed?.Invoke(this);
}

public sealed class OrderLine
{
    public required Product Product { get; init; }
    public byte Quantity { get; init; }
    public double Weight { get; init; }
    public bool Wrapped { get; init; }
}

/// <summary>Least recently used entries fall out; a linked list and a dictionary over it.</summary>
public sealed class Cache<TKey, TValue>(int capacity) where TKey : notnull
{
    readonly Dictionary<TKey, Entry> entries = [];
    Entry? first, last;

    public int Count => entries.Count;

    public void Put(TKey key, TValue value)
    {
        if (entries.Count == capacity && last is not null)
        {
            entries.Remove(last.Key);
            last = last.Previous;
            if (last is not null)
                last.Next = null;
        }
        var entry = new Entry { Key = key, Value = value, Next = first };
        if (first is not null)
            first.Previous = entry;
        first = entry;
        last ??= entry;
        entries[key] = entry;
    }

    sealed class Entry
    {
        public required TKey Key;
        public required TValue Value;
        public Entry? Previous, Next;
        public int Hits;
    }
}

public sealed record Rendered(string Url, byte[] Html);
