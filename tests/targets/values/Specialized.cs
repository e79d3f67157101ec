// SPDX-License-Identifier: MIT
using System.Collections;
using System.Collections.Specialized;

namespace Museum;

/// <summary>Collections from before there were generic ones.</summary>
static class Specialized
{
    public static IEnumerable<Account> Describe()
    {
        yield return Of("ordered", new OrderedDictionary { ["pear"] = "green", ["apple"] = null, ["plum"] = 7 });
        var taken = new OrderedDictionary { ["a"] = "1", ["b"] = "2", ["c"] = "3" };
        taken.Remove("b");
        yield return Of("orderedTaken", taken);
        yield return Of("orderedEmpty", new OrderedDictionary());
        yield return Of("list", new ListDictionary { ["one"] = "first", ["two"] = "second", [3] = "third" });
        yield return Of("listEmpty", new ListDictionary());
        yield return Of("hybridSmall", new HybridDictionary { ["one"] = "first", ["two"] = "second" });
        var large = new HybridDictionary();
        for (int i = 0; i < 30; i++) large.Add($"key {i}", $"value {i}");
        yield return Of("hybridLarge", large);
        yield return Of("hybridEmpty", new HybridDictionary());
        var texts = new StringDictionary { ["Red"] = "rose", ["Blue"] = "violet" };
        yield return Exhibit.Items("Museum.Specialized.texts", texts, "StringDictionary", texts.Cast<DictionaryEntry>().Select(entry => entry.Value), texts.Cast<DictionaryEntry>().Select(entry => (object?)entry.Key));
        var lines = new StringCollection { "first", null, "third" };
        yield return Exhibit.Items("Museum.Specialized.lines", lines, "StringCollection", lines.Cast<object?>());
        var query = new NameValueCollection { { "q", "heap" }, { "page", "1" }, { "q", "scape" }, { null, "alone" } };
        yield return Exhibit.Items("Museum.Specialized.query", query, "NameValueCollection", Enumerable.Repeat<object?>(new ArrayList(), query.Count), query.Cast<object?>());
        yield return Exhibit.Items("Museum.Specialized.queryEmpty", new NameValueCollection(), "NameValueCollection", [], []);
    }

    static Account Of(string name, IDictionary dictionary) => Exhibit.Items("Museum.Specialized." + name, dictionary, dictionary.GetType().Name, dictionary.Values.Cast<object?>(), dictionary.Keys.Cast<object?>());
}
