// SPDX-License-Identifier: MIT
// Loads the assemblies of the framework whose types the layout truths speak of, so that a dump has their metadata.
using System.Reflection;

string[] names =
[
    "System.Runtime", "System.Collections", "System.Collections.Concurrent", "System.Collections.Immutable",
    "System.Collections.NonGeneric", "System.Collections.Specialized", "System.ComponentModel.Primitives",
    "System.Console", "System.Diagnostics.DiagnosticSource", "System.Diagnostics.Process", "System.Drawing.Primitives",
    "System.Linq", "System.Linq.Expressions", "System.Memory", "System.Net.Http", "System.Net.Primitives",
    "System.Net.Sockets", "System.Numerics.Vectors", "System.ObjectModel", "System.Private.Uri",
    "System.Private.Xml.Linq", "System.Runtime.InteropServices", "System.Runtime.Intrinsics",
    "System.Runtime.Numerics", "System.Text.Json", "System.Text.RegularExpressions", "System.Threading",
    "System.Threading.Channels",
];
foreach (string name in names) Assembly.Load(name);
Console.WriteLine("ready");
Thread.Sleep(Timeout.Infinite);
