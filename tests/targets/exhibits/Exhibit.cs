// SPDX-License-Identifier: MIT
using System.Reflection;

namespace Museum;

/// <summary>Names an object on the heap, so that a reader can find it without statics: "Museum.Collections.list".</summary>
sealed class Exhibit
{
    const BindingFlags Everything = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
    static readonly List<Exhibit> all = [];

    readonly string path;
    readonly object? content;

    Exhibit(string path, object? content) => (this.path, this.content) = (path, content);

    /// <summary>The static fields of a class in the order of their names; each one's object becomes an exhibit.</summary>
    public static IEnumerable<(string Path, FieldInfo Field, object? Content)> Of(Type hall)
    {
        foreach (FieldInfo field in hall.GetFields(Everything).Where(field => !field.Name.StartsWith('<')).OrderBy(field => field.Name, StringComparer.Ordinal))
        {
            string path = $"{Names.Of(hall)}.{field.Name}";
            object? content = field.FieldType.IsPointer || field.FieldType.IsFunctionPointer ? null : field.GetValue(null);
            all.Add(new Exhibit(path, content));
            yield return (path, field, content);
        }
    }
}
