// SPDX-License-Identifier: MIT
using System.Collections.Frozen;

namespace Museum;

/// <summary>Frozen collections in each form that the framework chooses among.</summary>
static class Frozen
{
    public static IEnumerable<Account> Describe()
    {
        yield return Of("empty", new Dictionary<string, int>().ToFrozenDictionary());
        yield return Of("smallNumbers", Numbers(3, 7).ToFrozenDictionary(n => n, n => n * 2L));
        yield return Of("dense", Enumerable.Range(100, 30).ToFrozenDictionary(n => n, n => $"no. {n}"));
        yield return Of("denseWithHoles", Enumerable.Range(100, 60).Where(n => n % 5 != 0).ToFrozenDictionary(n => n, n => n * 2L));
        yield return Of("numbers", Numbers(50, 7919).ToFrozenDictionary(n => n, n => $"no. {n}"));
        yield return Of("longs", Numbers(50, 7919).ToFrozenDictionary(n => (long)n << 33, n => n));
        yield return Of("texts", Numbers(40, 7919).ToFrozenDictionary(n => $"key {n}", n => n));
        yield return Of("textsIgnoringCase", Numbers(40, 7919).ToFrozenDictionary(n => $"Key {n}", n => n, StringComparer.OrdinalIgnoreCase));
        yield return Of("textsByLength", Enumerable.Range(1, 15).ToFrozenDictionary(n => new string('x', n), n => n));
        yield return Of("smallTexts", new[] { "one", "two" }.ToFrozenDictionary(text => text, text => text.Length));
        yield return Of("uncommon", Numbers(20, 13).ToFrozenDictionary(n => new Key(n).Text, n => n, StringComparer.InvariantCulture));
        yield return OfSet("setEmpty", new HashSet<int>().ToFrozenSet());
        yield return OfSet("setSmall", Numbers(4, 3).ToFrozenSet());
        yield return OfSet("setNumbers", Numbers(50, 7919).ToFrozenSet());
        yield return OfSet("setLongs", Numbers(50, 7919).Select(n => (long)n << 33).ToFrozenSet());
        yield return OfSet("setTexts", Numbers(40, 7919).Select(n => $"key {n}").ToFrozenSet());
        yield return OfSet("setTextsByLength", Enumerable.Range(1, 15).Select(n => new string('x', n)).ToFrozenSet());
        yield return OfSet("setSmallTexts", new[] { "one", "two" }.ToFrozenSet());
    }

    sealed record Key(int Number) { public string Text => $"uncommon {Number}"; }

    static IEnumerable<int> Numbers(int count, int factor) => Enumerable.Range(1, count).Select(n => n * factor % 1_000_003);

    static Account Of<TKey, TValue>(string name, FrozenDictionary<TKey, TValue> dictionary) where TKey : notnull =>
        Exhibit.Items("Museum.Frozen." + name, dictionary, "FrozenDictionary", dictionary.Select(pair => (object?)pair.Value), dictionary.Select(pair => (object?)pair.Key));

    static Account OfSet<T>(string name, FrozenSet<T> set) => Exhibit.Items("Museum.Frozen." + name, set, "FrozenSet", set.Cast<object?>());
}
