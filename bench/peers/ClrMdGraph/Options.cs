// SPDX-License-Identifier: MIT
using System.Globalization;

namespace ClrMdGraph;

sealed class Options
{
    public string Dump = "";
    public int Runs = 1;
    public string? DacFolder, Roots, WriteRoots, Out, ChecksumOf;
    public ulong? PathTo;

    public static Options? Parse(string[] args)
    {
        var options = new Options();
        for (int i = 0; i < args.Length; i++)
        {
            if (!args[i].StartsWith("--"))
            {
                if (options.Dump != "")
                    return null;
                options.Dump = args[i];
                continue;
            }
            if (i + 1 == args.Length)
                return null;
            string value = args[++i];
            switch (args[i - 1])
            {
                case "--runs": options.Runs = int.Parse(value); break;
                case "--dac": options.DacFolder = value; break;
                case "--roots": options.Roots = value; break;
                case "--write-roots": options.WriteRoots = value; break;
                case "--path": options.PathTo = ulong.Parse(value.AsSpan(2), NumberStyles.HexNumber); break;
                case "--out": options.Out = value; break;
                case "--checksum": options.ChecksumOf = value; break;
                default: return null;
            }
        }
        return options.Dump != "" || options.ChecksumOf != null ? options : null;
    }
}
