// SPDX-License-Identifier: MIT
namespace Museum;

/// <summary>Names an object on the heap, so that a reader can find it: "Museum.Slices.memory".</summary>
sealed class Exhibit
{
    static readonly List<Exhibit> all = [];

    readonly string path;
    readonly object content;

    Exhibit(string path, object content) => (this.path, this.content) = (path, content);

    public static Account Show(string path, object content)
    {
        all.Add(new Exhibit(path, content));
        return new Account().Add("path", path).Add("type", Names.Of(content.GetType()));
    }

    /// <summary>With how it reads in one line.</summary>
    public static Account Text(string path, object content, string text) => Show(path, content).Add("text", text);

    /// <summary>With what it holds, in the order of enumeration; keys where the collection has them.</summary>
    public static Account Items(string path, object content, string kind, IEnumerable<object?> items, IEnumerable<object?>? keys = null)
    {
        List<Account> told = items.Select((item, index) => new Account().Add("index", index).Add("value", Told(item))).ToList();
        if (keys is not null) told = told.Zip(keys, (account, key) => account.Add("key", Told(key))).ToList();
        return Show(path, content).Add("kind", kind).Add("hasKeys", keys is not null).Add("count", told.Count).Add("items", told);
    }

    /// <summary>The text of a value, without quotation marks; of an object with a life of its own the type.</summary>
    static Account Told(object? value) => value switch
    {
        null => new Account().Add("kind", "null"),
        string text => new Account().Add("kind", "string").Add("text", text),
        int or long or double => new Account().Add("kind", "plain").Add("text", ((IFormattable)value).ToString(null, System.Globalization.CultureInfo.InvariantCulture)),
        Written written => new Account().Add("kind", "plain").Add("text", written.Text),
        _ => new Account().Add("kind", "reference").Add("type", Names.Of(value.GetType())),
    };
}

/// <summary>A value that reads as this text.</summary>
sealed record Written(string Text);
