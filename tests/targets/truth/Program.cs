// SPDX-License-Identifier: MIT
// Writes what ClrMD sees in a dump, as the expected figures of our tests. See ../README.md for the schema.
using System.Diagnostics;
using Truth;

const string usage = """
    usage: dotnet truth.dll DUMP OUT.json [--dac FOLDER] [--no-members]
           dotnet truth.dll DUMP --objects OUT.tsv [--dac FOLDER]
           dotnet truth.dll DUMP --details OUT.json [--dac FOLDER]
           dotnet truth.dll DUMP --stacks OUT.jsonl [--dac FOLDER] [--runs N]
    FOLDER holds libmscordaccore.so of the dump's runtime; without it the folder that the dump names is used.
    """;

var rest = new List<string>(args);
bool stacks = rest.Remove("--stacks");
bool child = rest.Remove("--child"), members = !rest.Remove("--no-members"), objects = rest.Remove("--objects"), details = rest.Remove("--details");
string? dacFolder = Option("--dac"), first = Option("--first"), runs = Option("--runs");
if (rest.Count != 2)
{
    Console.Error.WriteLine(usage);
    return 2;
}

if (!child)
{
    if (stacks)
        return Stacks.Collect(args, rest[1], int.Parse(runs ?? "6"));
    // The DAC can take its process down, so it gets one of its own; what kills it is nearly always a question about members.
    int status = RunChild(args);
    if (status > 127 && members && !objects && !details)
    {
        Console.Error.WriteLine("truth: the DAC crashed, trying again without the types' members");
        status = RunChild([.. args, "--no-members"]);
    }
    return status;
}

try
{
    using var dump = new Dump(rest[0], dacFolder);
    if (stacks)
        Stacks.Write(dump, int.Parse(first ?? "0"));
    else if (objects)
        ObjectList.Write(dump, rest[1]);
    else if (details)
        Details.Write(dump, rest[1]);
    else
        Report.Write(new Survey(dump), members, rest[1]);
    return 0;
}
catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException)
{
    Console.Error.WriteLine("truth: " + e.Message);
    return 1;
}

string? Option(string name)
{
    int at = rest.IndexOf(name);
    if (at < 0 || at + 1 >= rest.Count)
        return null;
    string value = rest[at + 1];
    rest.RemoveRange(at, 2);
    return value;
}

static int RunChild(IEnumerable<string> arguments)
{
    using var process = Process.Start(new ProcessStartInfo(
        Environment.ProcessPath!, [Environment.GetCommandLineArgs()[0], .. arguments, "--child"]))!;
    process.WaitForExit();
    return process.ExitCode;
}
