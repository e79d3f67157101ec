// SPDX-License-Identifier: MIT
using System.Collections;
using System.Diagnostics;
using System.Reflection;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>Frames and roots of every thread, a thread a line.</summary>
static class Stacks
{
    const int MaximumFrames = 5000;

    // Where ClrMD's context has the registers that calls preserve: a CONTEXT of Windows.
    static readonly (string Name, int Offset)[] registersOfX64 =
        [("rbx", 144), ("rbp", 160), ("r12", 216), ("r13", 224), ("r14", 232), ("r15", 240)];
    static readonly (string Name, int Offset)[] registersOfArm64 = [.. Enumerable.Range(19, 11).Select(n => ($"x{n}", 8 + 8 * n))];
    static readonly JsonWriterOptions options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// Asks children, for the DAC dies of the roots of some threads: these get a line without roots. The fullest line counts:
    /// the DAC of .NET 9 gives only some of the roots of a thread in a handler, in most runs.
    public static int Collect(string[] arguments, string path, int runs)
    {
        var best = new List<string>();
        for (int run = 0; run < runs; run++)
        {
            var lines = new List<string>();
            for (bool whole = false; !whole;)
            {
                int before = lines.Count;
                string output = Child([.. arguments, "--first", lines.Count.ToString(), "--child"]);
                whole = output.EndsWith("}\nend\n");
                lines.AddRange(output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => line != "end").Select(Whole));
                if (!whole && lines.Count == before)
                    return 1;
            }
            for (int i = 0; i < lines.Count; i++)
                if (i == best.Count) best.Add(lines[i]);
                else if (lines[i].Length > best[i].Length) best[i] = lines[i];
        }
        File.WriteAllLines(path, best);
        return 0;
    }

    /// A line that the DAC's end has cut off behind the frames.
    static string Whole(string line) => line.EndsWith("]}") ? line : line + "}";

    static string Child(string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!, [Environment.GetCommandLineArgs()[0], .. arguments]) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return output;
    }

    public static void Write(Dump dump, int first)
    {
        using var output = Console.OpenStandardOutput();
        foreach (var thread in dump.Runtime.Threads.Skip(first))
        {
            string frames = Json(json => Frames(json, dump, thread));
            output.Write(Encoding.UTF8.GetBytes(frames[..^1]));
            output.Flush();
            output.Write(Encoding.UTF8.GetBytes("," + Json(json => Roots(json, thread))[1..] + "\n"));
        }
        output.Write("end\n"u8);
    }

    static string Json(Action<Utf8JsonWriter> write)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes, options))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(bytes.ToArray());
    }

    static void Frames(Utf8JsonWriter json, Dump dump, ClrThread thread)
    {
        json.WriteNumber("osId", thread.OSThreadId);
        json.WriteNumber("managedId", thread.ManagedThreadId);
        json.WriteString("thread", Names.Address(thread.Address));
        json.WriteBoolean("cooperative", thread.GCMode == GCMode.Cooperative);
        json.WriteStartArray("frames");
        var registers = dump.IsArm64 ? registersOfArm64 : registersOfX64;
        foreach (var frame in thread.EnumerateStackTrace(includeContext: true, MaximumFrames))
        {
            json.WriteStartObject();
            json.WriteString("kind", frame.Kind == ClrStackFrameKind.ManagedMethod ? "managed" : frame.Kind == ClrStackFrameKind.Runtime ? "runtime" : "unknown");
            json.WriteString("ip", Names.Address(frame.InstructionPointer));
            json.WriteString("sp", Names.Address(frame.StackPointer));
            if (frame.FrameName is { } name)
                json.WriteString("frame", name);
            if (frame.Method is { } method)
            {
                json.WriteString("methodDesc", Names.Address(method.MethodDesc));
                json.WriteString("signature", method.Signature);
            }
            if (frame.Kind == ClrStackFrameKind.ManagedMethod)
                foreach (var (register, offset) in registers)
                    json.WriteString(register, Names.Address(BitConverter.ToUInt64(frame.Context[offset..])));
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    // What ClrMD gives out has lost the registers and the frames; what it asks the DAC for still has them.
    static void Roots(Utf8JsonWriter json, ClrThread thread)
    {
        var helpers = typeof(ClrThread).GetField("_threadHelpers", BindingFlags.NonPublic | BindingFlags.Instance)!.GetValue(thread)!;
        var found = (IEnumerable)helpers.GetType().GetMethod("EnumerateStackRoots")!.Invoke(helpers, [thread.OSThreadId, false])!;
        json.WriteStartArray("roots");
        foreach (object root in found)
        {
            json.WriteStartObject();
            // Of a managed frame the address of the explicit one is 0, and the other way round.
            foreach (var (name, member) in new[] { ("ip", "InstructionPointer"), ("sp", "StackPointer"), ("explicitFrame", "InternalFrame") })
                json.WriteString(name, Names.Address((ulong)Member(root, member)!));
            ulong slot = (ulong)Member(root, "Address")!;
            if (slot != 0)
                json.WriteString("slot", Names.Address(slot));
            else
                json.WriteString("register", (string?)Member(root, "RegisterName"));
            json.WriteString("object", Names.Address((ulong)Member(root, "Object")!));
            json.WriteBoolean("interior", (bool)Member(root, "IsInterior")!);
            json.WriteBoolean("pinned", (bool)Member(root, "IsPinned")!);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    static object? Member(object of, string name)
    {
        var type = of.GetType();
        return type.GetProperty(name) is { } property ? property.GetValue(of) : type.GetField(name)!.GetValue(of);
    }
}
