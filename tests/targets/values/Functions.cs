// SPDX-License-Identifier: MIT
using Museum.Functional;

namespace Museum;

/// <summary>What the F# assembly has on show.</summary>
static class Functions
{
    public static IEnumerable<Account> Describe()
    {
        foreach (var (path, content, text) in Hall.texts()) yield return Exhibit.Text(path, content, text);
        foreach (var (path, content, kind, items) in Hall.collections())
            yield return Exhibit.Items(path, content, kind, items.Select(item => (object?)new Written(item.Value)), kind == "FSharpMap" ? items.Select(item => (object?)new Written(item.Key)) : null);
        yield return Exhibit.Show("Museum.Functional.ring", Hall.ring());
        yield return Exhibit.Show("Museum.Functional.refusal", Hall.refusal());
    }
}
