// SPDX-License-Identifier: MIT
namespace Stacks;

/// Methods that wait for each other, and work that waits for a thread.
static class Async
{
    public static readonly List<object> Kept = [];

    public static void Plant()
    {
        Chains.Plant();
        Builders.Plant();
        Sources.Plant();
        Pool.Plant();
    }

    /// methods: innermost first. waitsFor: what the innermost one waits for. keeps: marks among the locals.
    public static void Expect(string chain, int count, string waitsFor, string[] methods, string[]? keeps = null) =>
        Planted.Say(("chain", chain), ("count", count), ("waitsFor", waitsFor), ("methods", methods), ("keeps", keeps ?? []));
}
