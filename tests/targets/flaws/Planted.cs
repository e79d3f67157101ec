// SPDX-License-Identifier: MIT
using System.Text.Json;

namespace Flaws;

/// What was planted: the referee of what is to be found.
static class Planted
{
    /// kind: as heapscape-cli names it. subject: a type, a member or a text. bytes: what mending it would win back.
    public static void Say(string kind, string subject, long objects, long bytes, string? owner = null) =>
        Console.WriteLine(JsonSerializer.Serialize(new { kind, subject, objects, bytes, owner }));

    /// Bytes of a delegate's fields: target, method, two pointers, invocation list and its count, which is one less from
    /// .NET 11 on.
    public static readonly int DelegateFields = Environment.Version.Major >= 11 ? 40 : 48;

    /// What an object takes up: header and method table, its fields, at least 24 and a multiple of 8.
    public static long Object(int fieldBytes) => Math.Max(24, Round(16 + fieldBytes));
    public static long String(int length) => Round(22 + 2 * length);
    /// Header, method table and length; elements right behind.
    public static long Array(int length, int elementBytes) => Math.Max(24, Round(24 + (long)length * elementBytes));

    static long Round(long bytes) => (bytes + 7) & ~7;
}
