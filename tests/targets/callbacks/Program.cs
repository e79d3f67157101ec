// SPDX-License-Identifier: MIT
// What keeps objects alive by calling them back, other than an event: tokens, collections of delegates, timers that
// async methods wait for; and load contexts of many classes. Each says what it planted, one line of JSON.
using Callbacks;
using Flaws;

Apart.ClearStack();
Apart.Run(() =>
{
    Hoarding.Plant();
    Tokens.Plant();
    Collections.Plant();
    Ticking.Plant();
    Plugins.Plant();
    Others.Plant();
});
Apart.ClearStack();
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
