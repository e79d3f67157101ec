// SPDX-License-Identifier: MIT
// Types whose fields are in a bad order, in every place that value types and base classes have. Built with BEST (or BEST_NAME
// for one of them) they are declared as heapscape-cli proposes: the two dumps' heaps differ by what it promised.
using Weather;

Station.Fill();
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);

static class Station
{
    static readonly List<object> kept = new(10_000);

    public static void Fill()
    {
        Arrays();
        Collections();
        Objects();
        Generics();
    }

    // Every length from 0 on, so that the end of an array falls on every remainder of 8.
    static void Arrays()
    {
        for (int length = 0; length < 40; length++)
        {
            kept.Add(new Reading[length]);
            kept.Add(new Sample[length]);
            kept.Add(new Packed[length]);
            kept.Add(new Triple[length]);
            kept.Add(new Area[length]);
            kept.Add(new Tagged[length]);
            kept.Add(new Gauge[length]);
            kept.Add(new Reading?[length]);
            kept.Add(new (byte, Reading)[length]);
        }
        kept.Add(new Reading[7, 5]);
        kept.Add(new Sample[3, 3, 3]);
        kept.Add(new Packed[5][] { new Packed[1], new Packed[2], new Packed[3], new Packed[5], new Packed[8] });
    }

    static void Collections()
    {
        var list = new List<Reading>(333);
        var map = new Dictionary<int, Reading>(200);
        var samples = new Dictionary<byte, Sample>(100);
        var queue = new Queue<Packed>(77);
        for (int i = 0; i < 77; i++)
        {
            list.Add(new Reading { Valid = true, Value = i });
            map.Add(i, new Reading { Value = i });
            samples.Add((byte)i, new Sample { Tag = 1 });
            queue.Enqueue(new Packed { Port = 80 });
        }
        kept.AddRange([list, map, samples, queue]);
    }

    static void Objects()
    {
        for (int i = 0; i < 100; i++)
        {
            kept.Add(new Header { Id = i });
            kept.Add(new Packet { Id = i, Extra = 1 });
            kept.Add(new Circle { Radius = i });
            kept.Add(new Panel { Name = "panel" });
            kept.Add(new Sensor { On = i % 4 == 0 });
            kept.Add(new Numbers { A = i });
            kept.Add(new Reading { Value = i });  // boxed, as are the next
            kept.Add(new Sample { Station = i });
            kept.Add(new Packed { Id = i });
            kept.Add(new Area());
        }
    }

    static void Generics()
    {
        for (int length = 0; length < 20; length++)
        {
            kept.Add(new Slot<byte, long>[length]);
            kept.Add(new Slot<long, byte>[length]);
            kept.Add(new Slot<string, int>[length]);
            kept.Add(new Slot<short, Reading>[length]);
            kept.Add(new Node<Reading> { Level = 1 });
            kept.Add(new Node<Slot<byte, long>> { Level = 2 });
            kept.Add(new Node<string> { Level = 3 });
        }
    }
}
