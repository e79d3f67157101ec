// SPDX-License-Identifier: MIT
namespace Flaws;

/// Async methods that wait for what nobody can complete any more.
static class LeakByAsync
{
    static readonly List<Task> started = new(100);
    static readonly List<Task> running = new(200);
    static readonly List<TaskCompletionSource> answers = new(100);

    static async Task<int> SendAsync(byte[] letter)
    {
        await new TaskCompletionSource().Task;
        return letter.Length;
    }

    static async Task DeliverAsync(byte[] letter) => await SendAsync(letter);

    static async Task WaitAsync(byte[] letter)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        GC.KeepAlive(letter);
    }

    static async Task AskAsync(TaskCompletionSource answer, byte[] letter)
    {
        await answer.Task;
        GC.KeepAlive(letter);
    }

    public static void Plant() => Apart.Run(() =>
    {
        const int length = 700;
        for (int i = 0; i < 100; i++) started.Add(DeliverAsync(Apart.Bytes(length, i)));
        // The source itself is gone; its task is not.
        byte[] letter = Apart.Bytes(length, 0);
        long each = Apart.Measure(() => DeliverAsync(letter)) - Planted.Object(8) + Planted.Array(length, 1);
        Planted.Say("pendingAsync", "Flaws.LeakByAsync.SendAsync", 100, 100 * each, "static Flaws.LeakByAsync.started");
        for (int i = 0; i < 100; i++)
        {
            running.Add(WaitAsync(Apart.Bytes(length, i)));
            answers.Add(new TaskCompletionSource());
            running.Add(AskAsync(answers[i], Apart.Bytes(length, i)));
        }
    });
}
