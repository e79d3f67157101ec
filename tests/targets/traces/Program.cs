// SPDX-License-Identifier: MIT
// Exceptions that were thrown in every way, locks whose owners have ended or are of other kinds than monitors, and
// values that each thread or each async method has for itself. Says what it planted, one line of JSON each.
using Traces;

Planted.Exceptions = Thrown.Plant();
Locks.Plant();
Locals.Plant();
Planted.Show();
Thread.Sleep(Timeout.Infinite);

namespace Traces
{
    /// What was planted: the referee of what is to be found.
    static class Planted
    {
        public static List<Exception> Exceptions = [];
        static readonly List<string> lines = [];

        public static void Say(object facts)
        {
            lock (lines)
                lines.Add(Json(facts));
        }

        public static void Show()
        {
            using var output = new FileStream("/dev/stdout", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 0);
            output.Write(System.Text.Encoding.UTF8.GetBytes(string.Join("\n", lines) + "\nready\n"));
            lines.Clear();
        }

        static string Json(object? value) => value switch
        {
            null => "null",
            string text => "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"").Replace("\r", "").Replace("\n", "\\n") + "\"",
            bool flag => flag ? "true" : "false",
            int or uint or long => value.ToString()!,
            System.Collections.IEnumerable list => "[" + string.Join(",", list.Cast<object?>().Select(Json)) + "]",
            _ => "{" + string.Join(",", value.GetType().GetProperties().Select(p => Json(p.Name) + ":" + Json(p.GetValue(value)))) + "}",
        };
    }
}
