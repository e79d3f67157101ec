// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;
using System.Text;

namespace Stacks;

/// Something with a name that a dump is searched for.
sealed class Mark(string name)
{
    public readonly string Name = name;
    public int Seen;
    public override string ToString() => Name;

    /// Not seen through: optimized code of .NET 10 would put an object that stays inside of its method on the stack itself.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Mark Of(string name) => new(name);
}

/// What was planted: the referee of what is to be found. Names have nothing in them that JSON would escape.
static class Planted
{
    static readonly StringBuilder lines = new();

    /// A line of members; what is a text, a number or a list of texts is written as that.
    public static void Say(params (string Name, object Value)[] members)
    {
        lines.Append('{');
        for (int i = 0; i < members.Length; i++)
            lines.Append(i == 0 ? "\"" : ",\"").Append(members[i].Name).Append("\":").Append(Json(members[i].Value));
        lines.Append("}\n");
    }

    public static void Show()
    {
        using var output = new FileStream("/dev/stdout", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 0);
        output.Write(Encoding.ASCII.GetBytes(lines.Append("ready\n").ToString()));
    }

    static string Json(object value) => value switch
    {
        string text => $"\"{text}\"",
        string[] texts => "[" + string.Join(",", Array.ConvertAll(texts, Json)) + "]",
        int[] numbers => "[" + string.Join(",", numbers) + "]",
        _ => value.ToString()!,
    };
}
