// SPDX-License-Identifier: MIT
// Threads in every state that a stack can show, or with STACKS=async methods that wait for each other. Says what it
// planted, one line of JSON each. No console: it would only make the dump larger.
using Stacks;

if (Environment.GetEnvironmentVariable("STACKS") == "async")
    Async.Plant();
else
    Threads.Plant();
Planted.Show();
Thread.Sleep(Timeout.Infinite);
