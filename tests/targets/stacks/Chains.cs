// SPDX-License-Identifier: MIT
namespace Stacks;

/// Who waits for whom.
static class Chains
{
    static readonly TaskCompletionSource answer = new();

    public static void Plant()
    {
        Async.Kept.Add(OuterAsync());
        Async.Expect("line", 1, "TaskCompletionSource", ["Stacks.Chains.InnerAsync", "Stacks.Chains.MiddleAsync", "Stacks.Chains.OuterAsync"],
                     ["outer local", "middle local", "inner local"]);
        for (int i = 0; i < 50; i++) Async.Kept.Add(RequestAsync(i));
        Async.Expect("requests", 50, "TaskCompletionSource", ["Stacks.Chains.QueryAsync", "Stacks.Chains.RequestAsync"]);
        Async.Kept.Add(GatherAsync());
        Async.Expect("gathered", 2, "TaskCompletionSource", ["Stacks.Chains.PartAsync", "Stacks.Chains.GatherAsync"], ["part 1", "part 2"]);
        Async.Kept.Add(RaceAsync());
        Async.Expect("race", 1, "Task.Delay", ["Stacks.Chains.RaceAsync"]);
        Async.Kept.Add(HiddenAsync());
        Async.Expect("not captured", 1, "TaskCompletionSource", ["Stacks.Chains.ColdAsync", "Stacks.Chains.HiddenAsync"], ["cold local"]);
        Block();
        Async.Kept.Add(DoneAsync());
    }

    static async Task<string> OuterAsync()
    {
        var local = new Mark("outer local");
        return await MiddleAsync(7) + local;
    }

    static async Task<string> MiddleAsync(int number)
    {
        var local = new Mark("middle local");
        string inner = await InnerAsync();
        return inner + local + number;
    }

    static async Task<string> InnerAsync()
    {
        var local = new Mark("inner local");
        await new TaskCompletionSource().Task;
        return local.Name;
    }

    static async Task<int> RequestAsync(int number)
    {
        var body = new byte[100];
        return await QueryAsync(number) + body.Length;
    }

    static async Task<int> QueryAsync(int number)
    {
        await new TaskCompletionSource().Task;
        return number;
    }

    static async Task GatherAsync() => await Task.WhenAll(PartAsync(new Mark("part 1")), PartAsync(new Mark("part 2")));

    static async Task PartAsync(Mark mark)
    {
        await answer.Task;
        GC.KeepAlive(mark);
    }

    static async Task RaceAsync() => await Task.WhenAny(answer.Task, Task.Delay(TimeSpan.FromHours(2)));

    static async Task HiddenAsync() => await ColdAsync().ConfigureAwait(false);

    static async Task ColdAsync()
    {
        var local = new Mark("cold local");
        await new TaskCompletionSource<int>().Task.ConfigureAwait(false);
        GC.KeepAlive(local);
    }

    // A thread that waits for what it could have awaited.
    static void Block()
    {
        var thread = new Thread(() => BlockedAsync().Wait(), 256 * 1024) { Name = "blocker", IsBackground = true };
        thread.Start();
        Async.Expect("blocked thread", 1, "TaskCompletionSource", ["Stacks.Chains.BlockedAsync"], ["of the blocker"]);
        Planted.Say(("thread", "blocker"), ("managedId", thread.ManagedThreadId), ("waits", "Task.Wait"), ("waitedBy", "Stacks.Chains.BlockedAsync"));
    }

    static async Task BlockedAsync()
    {
        var local = new Mark("of the blocker");
        await new TaskCompletionSource().Task;
        GC.KeepAlive(local);
    }

    // Waits for nothing any more.
    static async Task DoneAsync()
    {
        await Task.CompletedTask;
    }
}
