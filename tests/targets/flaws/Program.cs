// SPDX-License-Identifier: MIT
// Everything that a heap can have wrong with it, planted with known sizes. Each says what it planted, one line of JSON.
using Flaws;

WasteInStrings.Plant();
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
