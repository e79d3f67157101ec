// SPDX-License-Identifier: MIT
using System.Net;
using System.Runtime.CompilerServices;

namespace Museum;

/// <summary>Parts of arrays and texts, references that let go, addresses.</summary>
static class Slices
{
    static readonly string kept = "kept";

    public static IEnumerable<Account> Describe()
    {
        int[] numbers = [10, 11, 12, 13, 14];
        var memory = new Memory<int>(numbers, 1, 3);
        yield return Exhibit.Items("Museum.Slices.memory", memory, "Memory", memory.ToArray().Cast<object?>()).Add("text", $"System.Int32[1..4] {{ {string.Join(", ", memory.ToArray())} }}");
        ReadOnlyMemory<char> word = "museum".AsMemory(2, 3);
        yield return Exhibit.Text("Museum.Slices.memoryOfText", word, $"\"{word}\"");
        yield return Exhibit.Text("Museum.Slices.memoryDefault", default(Memory<byte>), "empty");
        var segment = new ArraySegment<string>(["a", "b", "c", "d"], 1, 2);
        yield return Exhibit.Items("Museum.Slices.segment", segment, "ArraySegment", segment).Add("text", "System.String[1..3] { \"b\", \"c\" }");
        yield return Exhibit.Text("Museum.Slices.segmentLong", new ArraySegment<byte>(new byte[100], 10, 50), "System.Byte[10..60] { 0, 0, 0, 0, 0, 0, 0, 0, … }");
        var holder = new Holder { Memory = memory, Word = word, Segment = segment };
        yield return Exhibit.Show("Museum.Slices.holder", holder);

        yield return Exhibit.Items("Museum.Slices.weak", new WeakReference(kept), "WeakReference", ["kept"]).Add("state", "alive").Add("text", "WeakReference(\"kept\")");
        yield return Exhibit.Items("Museum.Slices.weakTyped", new WeakReference<Holder>(holder), "WeakReference", [holder]).Add("state", "alive").Add("text", "WeakReference(Museum.Holder)");
        yield return Exhibit.Items("Museum.Slices.weakLong", new WeakReference(kept, trackResurrection: true), "WeakReference", ["kept"]).Add("state", "alive").Add("text", "WeakReference(\"kept\")");
        yield return Exhibit.Items("Museum.Slices.weakGone", Forgotten(), "WeakReference", []).Add("state", "without target").Add("text", "WeakReference(no target)");

        foreach (string address in new[] { "192.168.0.1", "0.0.0.0", "255.255.255.255", "::1", "::", "fe80::1:2%3", "2001:db8:0:1:0:0:0:2", "1:2:3:4:5:6:7:8", "::ffff:10.1.2.3", "1:0:0:2::", "0:0:3::", "64:ff9b::1.2.3.4", "::1.2.3.4", "fe80::5efe:10.0.0.1" })
        {
            yield return Exhibit.Text($"Museum.Slices.address {address}", IPAddress.Parse(address), IPAddress.Parse(address).ToString());  // an address keeps its text, so another is asked
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference Forgotten() => new(new byte[10]);
}

sealed class Holder
{
    public Memory<int> Memory;
    public ReadOnlyMemory<char> Word;
    public ArraySegment<string> Segment;
}
