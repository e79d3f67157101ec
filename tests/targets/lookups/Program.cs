// SPDX-License-Identifier: MIT
// How shared code finds out what it is an instantiation of, in every state that a dictionary can be in; function
// pointers wherever one can be kept; types with the rarer parts of a class. No console: it would only make the dump larger.
using Lookups;

Racks.Fill();
var pointers = new Pointers();
Counts.Static();
Counts.Sum = pointers.CallAll() + Racks.Kept.Length + Shapes.Kept.Length;
GC.Collect();
using (var output = new FileStream("/dev/stdout", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 0))
    output.Write("ready\n"u8);
Thread.Sleep(Timeout.Infinite);
GC.KeepAlive(pointers);
