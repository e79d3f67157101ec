// SPDX-License-Identifier: MIT
using System.Collections.Concurrent;
using Flaws;

namespace Callbacks;

/// Delegates in collections.
static class Collections
{
    class View(int number)
    {
        readonly byte[] pixels = Apart.Bytes(700, number);
        public void Draw() => GC.KeepAlive(pixels);
    }

    sealed class Row(int number) : View(number);
    sealed class Tile(int number) : View(number);
    sealed class Label(int number) : View(number);
    sealed class Button(int number) : View(number);
    sealed class Panel(int number) : View(number);


    static readonly List<Action> cleanups = new(64);
    static readonly Dictionary<Type, LinkedList<Action>> subscribers = new();
    static readonly ConcurrentDictionary<int, Action> byNumber = new();
    static readonly Dictionary<string, Delegate> topics = new();
    static readonly List<Action> few = new(16);
    static readonly List<Panel> shown = new(40);
    static readonly List<Action> drawn = new(40);

    public static void Plant() => Apart.Run(() =>
    {
        for (int i = 0; i < 50; i++) cleanups.Add(new Row(i).Draw);
        subscribers[typeof(Tile)] = new();
        for (int i = 0; i < 40; i++) subscribers[typeof(Tile)].AddLast(new Tile(i).Draw);
        for (int i = 0; i < 30; i++) byNumber[i] = new Label(i).Draw;
        Action? all = null;
        for (int i = 0; i < 16; i++) all += new Button(i).Draw;
        topics["draw"] = all!;
        long each = Planted.Object(Planted.DelegateFields) + Planted.Object(8) + Planted.Array(700, 1);
        Say("cleanups", typeof(Row), 50, 50 * each);
        Say("subscribers", typeof(Tile), 40, 40 * each);
        Say("byNumber", typeof(Label), 30, 30 * each);
        Say("topics", typeof(Button), 16, 16 * each + Planted.Object(Planted.DelegateFields) + Planted.Array(16, 8));
        PlantInnocents();
    });

    static void PlantInnocents()
    {
        for (int i = 0; i < 12; i++) few.Add(new Panel(i).Draw);
        for (int i = 0; i < 40; i++)
        {
            shown.Add(new Panel(i));
            drawn.Add(shown[i].Draw);
        }
    }

    static void Say(string field, Type target, int objects, long bytes) =>
        Planted.Say("delegateLeak", $"static Callbacks.Collections.{field} → {target.FullName}", objects, bytes, $"static Callbacks.Collections.{field}");
}
