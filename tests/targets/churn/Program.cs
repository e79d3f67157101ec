// SPDX-License-Identifier: MIT
// Objects with locks, hash codes and finalizers grow old, die and are replaced while one background collection follows
// the other: what a healthy heap looks like in between. CHURN_KEPT says how many a thread keeps; with CHURN_STOP=1 all
// halt right behind a background collection, before a younger one tidies up.
using System.Runtime;

int kept = int.Parse(Environment.GetEnvironmentVariable("CHURN_KEPT") ?? "4000");
bool stops = Environment.GetEnvironmentVariable("CHURN_STOP") == "1";
Console.WriteLine($"tiers {Tiers.Run()}");

for (int i = 0; i < 3; i++)
{
    var random = new Random(i);
    new Thread(() => Churn(random, kept)) { IsBackground = true, Name = "churn " + i }.Start();
}
new Thread(CollectInBackground) { IsBackground = true, Name = "collector" }.Start();
Thread.Sleep(3000);
if (stops)
{
    long last = GC.GetGCMemoryInfo(GCKind.Background).Index;
    while (GC.GetGCMemoryInfo(GCKind.Background).Index == last) { }
    Pace.Halted = true;
    Thread.Sleep(100);
}
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);

static void Churn(Random random, int kept)
{
    var parcels = new Parcel?[kept];
    for (int step = 0; !Pace.Halted; step++)
    {
        // Most are replaced while they are young, so that they die between the marks of a background collection.
        int place = step % 4 == 0 ? random.Next(kept) : random.Next(kept / 20);
        var parcel = step % 7 == 0 ? new Guarded() : new Parcel();
        parcel.Before = parcels[random.Next(kept)];
        if (parcel.Before is { } before && random.Next(3) > 0)
            before.Before = null;  // chains stay short
        parcel.Contents = step % 4000 == 0 ? new byte[90_000] : new byte[random.Next(200)];
        parcels[place] = parcel;
        // A hash code and a lock do not fit into a header together, so both are in a sync block then.
        if (step % 5 == 0)
        {
            parcel.GetHashCode();
            lock (parcel)
                parcel.Seal++;
        }
        if (step % 64 == 0)
            Thread.Yield();
    }
    Thread.Sleep(Timeout.Infinite);
    GC.KeepAlive(parcels);
}

static void CollectInBackground()
{
    GCSettings.LatencyMode = GCLatencyMode.Interactive;
    while (!Pace.Halted)
    {
        GC.Collect(2, GCCollectionMode.Forced, blocking: false);
        Thread.Sleep(1);
    }
}

static class Pace
{
    public static volatile bool Halted;
}

class Parcel
{
    public Parcel? Before;
    public byte[]? Contents;
    public int Seal;
}

class Guarded : Parcel
{
    public static int Opened;

    ~Guarded() => Interlocked.Increment(ref Opened);
}
