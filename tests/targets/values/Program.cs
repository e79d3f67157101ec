// SPDX-License-Identifier: MIT
// Values that people read as one thing. Prints by its own account what each holds, as one line of JSON, then "ready", and waits for its dump.
using Museum;

Console.WriteLine(new Account()
    .Add("runtime", Environment.Version.ToString())
    .Add("values", Slices.Describe().Concat(Json.Describe()).Concat(Frozen.Describe()).Concat(Queues.Describe()).Concat(Specialized.Describe()).Concat(Functions.Describe()).ToList()));
for (int i = 0; i < 2; i++) GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
