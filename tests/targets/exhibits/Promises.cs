// SPDX-License-Identifier: MIT
namespace Museum;

/// <summary>Lazy values and tasks in every state.</summary>
static class Promises
{
    static readonly Lazy<int> lazyMade = new(5), lazyWaiting = new(() => 6), lazyFailed = new(() => throw new InvalidOperationException("lazy fails"));
    static readonly Lazy<Painting> lazyObject = new(() => new Painting("late")), lazyDefault = new();
    static readonly TaskCompletionSource<string> source = new();
    static readonly Task<int> taskDone = Task.Run(() => 42), taskOfResult = Task.FromResult(7);
    static readonly Task<string> taskWaiting = source.Task;
    static readonly Task taskContinued = taskWaiting.ContinueWith(_ => { });
    static readonly Task<Place> taskOfStruct = Task.FromResult(new Place(3, "task"));
    static readonly Task taskFailed = Task.Run(() => throw new InvalidDataException("task fails")), taskCanceled = Task.FromCanceled(new CancellationToken(true));
    static readonly Task taskCreated = new(() => { }), taskDelayed = Task.Delay(TimeSpan.FromDays(3));
    static readonly Task taskRunning = Task.Factory.StartNew(() => Thread.Sleep(Timeout.Infinite), TaskCreationOptions.LongRunning);
    static readonly Task<int> taskAsync = Await(), taskAsyncDone = AwaitNothing();

    static Promises()
    {
        _ = lazyObject.Value;
        try { _ = lazyFailed.Value; } catch (InvalidOperationException) { }
        Task.WaitAll(taskDone, taskFailed.ContinueWith(_ => { }), taskAsyncDone);
        while (taskRunning.Status != TaskStatus.Running) Thread.Sleep(1);
    }

    static async Task<int> Await() => (await taskWaiting).Length;

    static async Task<int> AwaitNothing()
    {
        await Task.Yield();
        return 99;
    }
}
