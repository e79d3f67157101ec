// SPDX-License-Identifier: MIT
using System.Runtime.CompilerServices;

namespace Stacks;

/// Everything that an async method can return, and what else the compiler turns into one.
static class Builders
{
    public static void Plant()
    {
        Async.Kept.Add(ValueAsync().AsTask());
        Async.Expect("value task", 1, "TaskCompletionSource", ["Stacks.Builders.ValueAsync"], ["of the value task"]);
        Async.Kept.Add(CallPooledAsync());
        Async.Expect("pooled", 1, "TaskCompletionSource", ["Stacks.Builders.PooledAsync", "Stacks.Builders.CallPooledAsync"], ["of the pooled one"]);
        Async.Kept.Add(ConsumeAsync());
        Async.Expect("iterator", 1, "TaskCompletionSource", ["Stacks.Builders.ProduceAsync", "Stacks.Builders.ConsumeAsync"], ["of the producer"]);
        Fire();
        Async.Expect("void", 1, "TaskCompletionSource", ["Stacks.Builders.Fire"], ["of void"]);
        Func<Task> lambda = async () => await kept.Task;
        Async.Kept.Add(lambda());
        Async.Expect("lambda", 1, "TaskCompletionSource", ["Stacks.Builders.Plant"]);
        Async.Kept.Add(new Generic<Mark>().WaitAsync<string>(new Mark("of the generic one"), ""));
        Async.Expect("generic", 1, "TaskCompletionSource", ["Stacks.Builders.Generic<Stacks.Mark>.WaitAsync<System.String>"], ["of the generic one"]);
    }

    // Tasks of methods that nobody awaits are held by what they wait for.
    static readonly TaskCompletionSource kept = new();

    static async ValueTask<int> ValueAsync()
    {
        var local = new Mark("of the value task");
        await kept.Task;
        return local.Seen;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> PooledAsync()
    {
        var local = new Mark("of the pooled one");
        await kept.Task;
        return local.Seen;
    }

    static async Task<int> CallPooledAsync() => await PooledAsync();

    static async IAsyncEnumerable<Mark> ProduceAsync()
    {
        var local = new Mark("of the producer");
        yield return local;
        await kept.Task;
        yield return local;
    }

    static async Task ConsumeAsync()
    {
        await foreach (var mark in ProduceAsync()) mark.Seen++;
    }

    static async void Fire()
    {
        var local = new Mark("of void");
        await kept.Task;
        GC.KeepAlive(local);
    }

    sealed class Generic<T>
    {
        public async Task<U> WaitAsync<U>(T item, U other)
        {
            await kept.Task;
            GC.KeepAlive(item);
            return other;
        }
    }
}
