// SPDX-License-Identifier: MIT
// Everything that a heap can have wrong with it, planted with known sizes. Each says what it planted, one line of JSON.
using Flaws;

Apart.ClearStack();
LeakByTimer.Start();
Apart.Shield();
Apart.Run(() =>
{
    WasteInStrings.Plant();
    WasteInBoxes.Plant();
    WasteInArrays.Plant();
    WasteInCollections.Plant();
    WasteInOtherCollections.Plant();
    WasteInHashing.Plant();
    WasteInObjects.Plant();
    // No collection before, so that nothing comes to lie where something else was; and none after the last of these.
    LeakByTimer.Plant();
    LeakByHoarding.Plant();
    LeakByEvent.Plant();
    LeakByAsync.Plant();
    LeakByGenerics.Plant();
    LeakByLoadContext.Plant();
    LeakByFragments.Plant();
    LeakByFinalizers.Plant();
});
Apart.ClearStack();
Console.WriteLine($"ready {Environment.ProcessId} {Environment.Version}");
Thread.Sleep(Timeout.Infinite);
