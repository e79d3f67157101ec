// SPDX-License-Identifier: MIT
// Loaded twice: into the default context and into a collectible one, where every type keeps its loader alive.
using Catalog;

namespace Plugin;

public struct Rule
{
    public byte Percent;
    public Category Category;
    public string Reason;
}

public class Discounts<T> where T : Entity
{
    public static Discounts<T>? Latest;
    public static int Loaded = 17;
    [ThreadStatic] public static Rule[]? Draft;

    public readonly List<Rule> Rules = [];
    public readonly Dictionary<T, Rule> Chosen = [];

    public static object Create(T item)
    {
        Draft = [new Rule { Percent = 5, Reason = "draft" }];
        var rule = new Rule { Percent = 10, Category = Category.Books, Reason = "summer" };
        return Latest = new Discounts<T> { Rules = { rule, rule }, Chosen = { [item] = rule } };
    }
}

public static class Entry
{
    public static object Start(Product product) =>
        new object[] { Discounts<Product>.Create(product), new Rule { Percent = 1 }, new Rule[3], new Rule[2, 2] };
}
