// SPDX-License-Identifier: MIT
namespace Shop;

/// <summary>Literals (frozen), interned, computed, empty, odd and large strings.</summary>
static class Strings
{
    const string Literal = "a literal lives in the frozen heap";

    public static object[] All() =>
    [
        Literal, string.Empty, new string('x', 1), string.Intern("interned " + 1), "zero\0inside", "line\nbreak\ttab \"quoted\" \\", "Grüße, 世界, 🚀",
        "\ud800 alone", new string('w', 50_000), string.Concat(Enumerable.Repeat("repeat ", 20)), Duplicates(),
        Enumerable.Range(0, 40).Select(length => new string('l', length)).ToArray(),
    ];

    static string[] Duplicates() => Enumerable.Range(0, 300).Select(i => $"duplicate number {i % 5}").ToArray();
}
