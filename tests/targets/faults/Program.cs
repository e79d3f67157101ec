// SPDX-License-Identifier: MIT
// Faults that a process has brought upon itself, one a run: the argument says which. It prints what it did as a line of
// JSON, then "ready", and waits to be dumped.
namespace Faults;

static class Program
{
    static int Main(string[] arguments)
    {
        Action act = arguments.FirstOrDefault() switch
        {
            "overrun" => Overruns.BytesOverNextObject,
            "text" => Overruns.TextOverNextObject,
            "native" => Overruns.NativeMemset,
            "methodTable" => Overruns.OneMethodTable,
            "header" => Overruns.OneHeader,
            "length" => Overruns.OneLength,
            "zeros" => Overruns.ZerosOverNextObjects,
            "names" => Names.Make,
            _ => throw new ArgumentException("overrun, text, native, methodTable, header, length, zeros or names"),
        };
        act();
        Console.WriteLine("ready");
        Thread.Sleep(Timeout.Infinite);
        return 0;
    }
}
