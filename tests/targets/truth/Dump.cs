// SPDX-License-Identifier: MIT
using Microsoft.Diagnostics.Runtime;

namespace Truth;

/// <summary>A dump opened with the DAC of its runtime and without any network.</summary>
sealed class Dump : IDisposable
{
    readonly DataTarget target;

    public ClrRuntime Runtime { get; }
    public ClrHeap Heap => Runtime.Heap;
    public string Version { get; }
    public bool IsArm64 => target.DataReader.Architecture == System.Runtime.InteropServices.Architecture.Arm64;

    public Dump(string path, string? dacFolder)
    {
        target = DataTarget.LoadDump(path, new DataTargetOptions { SymbolPaths = [] });
        var clr = target.ClrVersions.FirstOrDefault() ?? throw new InvalidDataException("no .NET runtime in " + path);
        var runtimeFolder = Path.GetDirectoryName(clr.ModuleInfo.FileName) ?? "";
        // createdump leaves out the page that holds the version resource; the folder's name is the version.
        Version = clr.Version.Major != 0 ? clr.Version.ToString() : Path.GetFileName(runtimeFolder);
        Runtime = clr.CreateRuntime(Path.Combine(dacFolder ?? runtimeFolder, "libmscordaccore.so"), ignoreMismatch: true);
    }

    public void Dispose()
    {
        Runtime.Dispose();
        target.Dispose();
    }
}
