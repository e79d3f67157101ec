// SPDX-License-Identifier: MIT
// A small shop whose memory holds one of everything that a heap reader must understand. Prints "ready", then waits for its dump.
using Shop;

Warehouse.Fill();
Exhibits.Keep("layouts", Layouts.All());
Exhibits.Keep("generics", Generics.All());
Exhibits.Keep("arrays", Arrays.All());
Exhibits.Keep("collections", Collections.All());
Exhibits.Keep("strings", Strings.All());
Exhibits.Keep("code", Code.All());
Exhibits.Keep("emitted", Emitted.All());
Exhibits.Keep("plugin", PluginHost.All());
Exhibits.Keep("lifetimes", Lifetimes.All());
Statics.Fill();
Ages.Settle();  // gives the objects their generations, so nothing big follows
Exhibits.Keep("stacks", Stacks.All());
Exhibits.Keep("locks", Locks.All());
Ages.Newborn();

Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);

static class Exhibits
{
    static readonly Dictionary<string, object[]> rooms = [];

    public static void Keep(string room, object[] exhibits) => rooms.Add(room, exhibits);
}
