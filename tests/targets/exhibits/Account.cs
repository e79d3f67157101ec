// SPDX-License-Identifier: MIT
using System.Collections;
using System.Globalization;
using System.Text;

namespace Museum;

/// <summary>A JSON object. No serializer, since its caches would be most of the dump.</summary>
sealed class Account
{
    readonly List<(string Key, object? Value)> members = [];

    public Account Add(string key, object? value)
    {
        members.Add((key, value));
        return this;
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        Write(text, this);
        return text.ToString();
    }

    static void Write(StringBuilder text, object? value)
    {
        switch (value)
        {
            case null: text.Append("null"); break;
            case bool truth: text.Append(truth ? "true" : "false"); break;
            case string word: WriteText(text, word); break;
            case Account account: WriteAll(text, '{', '}', account.members, member => { WriteText(text, member.Key); text.Append(':'); Write(text, member.Value); }); break;
            case IEnumerable list: WriteAll(text, '[', ']', list.Cast<object?>(), item => Write(text, item)); break;
            default: text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture)); break;
        }
    }

    static void WriteAll<T>(StringBuilder text, char open, char close, IEnumerable<T> items, Action<T> write)
    {
        text.Append(open);
        bool isFirst = true;
        foreach (T item in items)
        {
            if (!isFirst) text.Append(',');
            isFirst = false;
            write(item);
        }
        text.Append(close);
    }

    static void WriteText(StringBuilder text, string word)
    {
        text.Append('"');
        foreach (char unit in string.Concat(word.EnumerateRunes()))  // half a surrogate pair becomes U+FFFD: readers of JSON refuse it
        {
            if (unit is '"' or '\\') text.Append('\\').Append(unit);
            else if (unit is < ' ' or > '~') text.Append($"\\u{(int)unit:x4}");
            else text.Append(unit);
        }
        text.Append('"');
    }
}
