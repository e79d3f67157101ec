// SPDX-License-Identifier: MIT
namespace Stacks;

/// Threads that hold what the next one wants.
static class Deadlocks
{
    sealed class Fork(int number)
    {
        public readonly int Number = number;
    }

    public static void Plant()
    {
        Ring("two", 2);
        Ring("three", 3);
    }

    static void Ring(string name, int size)
    {
        var forks = new Fork[size];
        for (int i = 0; i < size; i++) forks[i] = new Fork(i);
        var table = new Barrier(size);
        var ids = new int[size];
        for (int i = 0; i < size; i++)
        {
            Fork left = forks[i], right = forks[(i + 1) % size];
            ids[i] = Threads.Start($"deadlock of {name}, {i}", "Monitor.Enter", () => Dine(table, left, right), ["Stacks.Deadlocks.Dine"]).ManagedThreadId;
        }
        Planted.Say(("deadlock", name), ("threads", ids));
    }

    static void Dine(Barrier table, Fork left, Fork right)
    {
        lock (left)
        {
            table.SignalAndWait();
            Threads.Arrive();
            lock (right) GC.KeepAlive(left);
        }
    }
}
