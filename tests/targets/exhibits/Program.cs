// SPDX-License-Identifier: MIT
// Things whose contents are known to the last bit. Prints by its own account what it holds, as one line of JSON, then "ready", and waits for its dump.
using Museum;

Collections.Fill();
Statics.Fill();
Headers.Fill();
Account account = new Account()
    .Add("runtime", Environment.Version.ToString())
    .Add("collections", Collections.Describe())
    .Add("statics", Statics.Describe())
    .Add("headers", Headers.Describe())
    .Add("delegates", Delegates.Describe())
    .Add("exceptions", Exceptions.Describe())
    .Add("values", Values.Describe())
    .Add("arrays", Arrays.Describe());
Console.WriteLine(account);
account = null!;
for (int i = 0; i < 2; i++)
{
    GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
    GC.WaitForPendingFinalizers();
}
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
