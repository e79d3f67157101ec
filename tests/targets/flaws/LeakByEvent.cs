// SPDX-License-Identifier: MIT
namespace Flaws;

/// Objects that only an event still holds.
static class LeakByEvent
{
    sealed class View(int number)
    {
        readonly byte[] pixels = Apart.Bytes(1000, number);
        public void OnPlaced(object? sender, EventArgs e) => GC.KeepAlive(pixels);
    }

    sealed class Window(int number)
    {
        readonly byte[] text = Apart.Bytes(600, number);
        public void OnReturned(object? sender, EventArgs e) => GC.KeepAlive(text);
    }

    sealed class Log
    {
        public void OnReturned(object? sender, EventArgs e) => GC.KeepAlive(this);
    }

    sealed class Bus
    {
        public event Action? Changed;
        public void Publish() => Changed?.Invoke();
    }

    static event EventHandler? Placed;
    static event EventHandler? Returned;
    static event EventHandler? Shipped;  // whose subscribers are in use
    static readonly Bus bus = new();
    static readonly Log log = new();
    static readonly List<View> shown = new(100);

    public static void Plant() => Apart.Run(() =>
    {
        PlantOfOneType();
        PlantBesideAnother();
        PlantClosures();
        PlantInnocents();
        GC.KeepAlive(Placed);
        GC.KeepAlive(Returned);
        GC.KeepAlive(Shipped);
    });

    static void PlantOfOneType()
    {
        for (int i = 0; i < 200; i++) Placed += new View(i).OnPlaced;
        // The event's own delegate and its list of 256 places are of no use to anybody else.
        long each = Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Array(1000, 1);
        Say("static Flaws.LeakByEvent.Placed", typeof(View), 200, 200 * each + Planted.Object(Planted.DelegateFields) + Planted.Array(256, 8));
    }

    static void PlantBesideAnother()
    {
        Returned += log.OnReturned;
        for (int i = 0; i < 50; i++) Returned += new Window(i).OnReturned;
        long each = Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Array(600, 1);
        Say("static Flaws.LeakByEvent.Returned", typeof(Window), 50, 50 * each);
    }

    static void PlantClosures()
    {
        Action? last = null;
        for (int i = 0; i < 30; i++)
        {
            byte[] data = Apart.Bytes(800, i);
            last = () => GC.KeepAlive(data);
            bus.Changed += last;
        }
        long each = Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Array(800, 1);
        Say("Flaws.LeakByEvent+Bus.Changed", last!.Target!.GetType(), 30, 30 * each + Planted.Object(Planted.DelegateFields) + Planted.Array(32, 8), typeof(Bus).FullName);
    }

    static void PlantInnocents()
    {
        for (int i = 0; i < 100; i++)
        {
            View view = new(i);
            shown.Add(view);
            Shipped += view.OnPlaced;
        }
        for (int i = 0; i < 20; i++)
        {
            View brief = new(i);
            Shipped += brief.OnPlaced;
            Shipped -= brief.OnPlaced;
        }
    }

    static void Say(string field, Type target, int objects, long bytes, string? owner = null) =>
        Planted.Say("delegateLeak", $"{field} → {target.FullName}", objects, bytes, owner ?? field);
}
