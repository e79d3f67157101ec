// SPDX-License-Identifier: MIT
using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;

namespace ClrMdGraph;

/// Rows of the retained sizes of objects, in any order, as one number.
static class RetainedRows
{
    /// The rows' hashes are added up.
    public static ulong Hash(ulong address, ulong dominator, ulong bytes, ulong objects) =>
        Mix(Mix(Mix(Mix(address) ^ dominator) ^ bytes) ^ objects);

    // The finaliser of SplitMix64.
    static ulong Mix(ulong x)
    {
        x += 0x9E3779B97F4A7C15;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }

    /// Of the objects of the member "retained" in a JSON document, read in pieces since it may have gigabytes.
    public static (ulong Checksum, long Rows) Read(Stream stream)
    {
        const int rowDepth = 2; // the document, its list, the row
        var row = new Dictionary<string, ulong>();
        ulong checksum = 0;
        long rows = 0;
        string? member = null, list = null;
        var buffer = new byte[1 << 20];
        int kept = 0;
        var state = new JsonReaderState();
        for (bool isLast = false; !isLast;)
        {
            if (kept == buffer.Length)
                Array.Resize(ref buffer, kept * 2);
            int read = stream.Read(buffer, kept, buffer.Length - kept);
            isLast = read == 0;
            var reader = new Utf8JsonReader(buffer.AsSpan(0, kept + read), isLast, state);
            while (reader.Read())
            {
                if (reader.TokenType == JsonTokenType.PropertyName)
                {
                    member = Name(ref reader);
                    if (reader.CurrentDepth == 1)
                        list = member;
                }
                if (list != "retained")
                    continue;
                if (reader.TokenType == JsonTokenType.StartObject && reader.CurrentDepth == rowDepth)
                    row.Clear();
                else if (reader.TokenType is JsonTokenType.Number or JsonTokenType.String && reader.CurrentDepth == rowDepth + 1)
                    Keep(ref reader, row, member!);
                else if (reader.TokenType == JsonTokenType.EndObject && reader.CurrentDepth == rowDepth)
                {
                    checksum += Hash(row["object"], row.GetValueOrDefault("dominator"), row["retainedBytes"], row["retainedCount"]);
                    rows++;
                }
            }
            state = reader.CurrentState;
            int used = (int)reader.BytesConsumed;
            kept = kept + read - used;
            Array.Copy(buffer, used, buffer, 0, kept);
        }
        return (checksum, rows);
    }

    static readonly string[] s_members = ["retained", "object", "dominator", "retainedBytes", "retainedCount"];

    // Without a new string for every property of every row.
    static string Name(ref Utf8JsonReader reader)
    {
        foreach (string member in s_members)
        {
            if (reader.ValueTextEquals(member))
                return member;
        }
        return "";
    }

    static void Keep(ref Utf8JsonReader reader, Dictionary<string, ulong> row, string member)
    {
        ReadOnlySpan<byte> text = reader.HasValueSequence ? reader.ValueSequence.ToArray() : reader.ValueSpan;
        if (reader.TokenType == JsonTokenType.Number)
        {
            if (member != "" && reader.TryGetUInt64(out ulong number))
                row[member] = number;
        }
        else if (member != "" && text.StartsWith("0x"u8) && Utf8Parser.TryParse(text[2..], out ulong address, out _, 'x'))
            row[member] = address;
    }
}
