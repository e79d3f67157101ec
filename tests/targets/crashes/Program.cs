// SPDX-License-Identifier: MIT
// Dies in the way that its argument names. What must come out: on the thread called "baker" where it is not the main
// one, in a method that says what it does. Before it dies it prints its managed thread and what it is about to do.
using Crashes;

string way = args.Length > 0 ? args[0] : "";
new Thread(() => Thread.Sleep(Timeout.Infinite)) { IsBackground = true, Name = "bystander" }.Start();
switch (way)
{
    case "ready": Console.WriteLine("ready"); Thread.Sleep(Timeout.Infinite); break;
    case "exit": Environment.Exit(3); break;

    // Exceptions that nobody catches.
    case "chain": Exceptions.Chain(); break;
    case "null": Exceptions.Null(null); break;
    case "divide": Exceptions.OnThread(() => Exceptions.Divide(7, 0)); break;
    case "pool": Exceptions.OnPool(); break;
    case "finalizer": Exceptions.OnFinalizer(); break;
    case "constructor": Exceptions.InConstructor(); break;
    case "async": Exceptions.FromAsync().GetAwaiter().GetResult(); break;
    case "async-void": Exceptions.AsyncVoid(); Thread.Sleep(Timeout.Infinite); break;
    case "aggregate": Exceptions.Aggregate(); break;
    case "timer": Exceptions.OnTimer(); break;
    case "callback": Exceptions.InCallback(); break;
    case "invoke": Exceptions.ByReflection(); break;
    case "rethrow": Exceptions.Rethrow(); break;
    case "filter": Exceptions.PastFilter(); break;
    case "in-finally": Exceptions.InFinally(); break;
    case "caught-first": Exceptions.AfterCaught(); break;
    case "in-handler": Exceptions.InHandler(); break;
    case "emitted": Exceptions.Emitted(); break;
    case "thrown-null": throw null!;
    case "unicode": throw new InvalidOperationException("Der Teig ist übergelaufen: 面包 \U0001F35E");
    case "no-message": throw new BakeryException();

    // Memory.
    case "memory": Memory.Exhaust(); break;
    case "huge": Memory.AskForTooMuch(); break;
    case "native-memory": Memory.ExhaustNative(); break;

    // Stacks.
    case "overflow": Overflows.One(0); break;
    case "overflow-three": Overflows.Fold(1); break;
    case "overflow-pool": ThreadPool.UnsafeQueueUserWorkItem(_ => Overflows.One(0), null); Thread.Sleep(Timeout.Infinite); break;
    case "overflow-small": Exceptions.OnThread(() => Overflows.Fold(1), 256 * 1024); break;
    case "overflow-generic": Overflows.Generic(new List<string>(), 0); break;

    // The program gives up.
    case "failfast": Exceptions.OnThread(() => GivingUp.Plain("the oven is on fire")); break;
    case "failfast-exception": GivingUp.With("the ledger does not add up", new BakeryException("12 loaves, 13 sold", new IOException("till 3"))); break;
    case "failfast-empty": Environment.FailFast(null); break;
    case "assert": Exceptions.OnThread(() => GivingUp.Assert(12, 13)); break;

    // Native code, and signals.
    case "violation": Exceptions.OnThread(Signals.Violate); break;
    case "native-violation": Exceptions.OnThread(Signals.ViolateInNative); break;
    case "native-abort": Exceptions.OnThread(Signals.Abort); break;
    case "native-free": Signals.FreeWhatIsNone(); break;
    case "raise": Exceptions.OnThread(() => Signals.Raise(int.Parse(args[1]))); break;
    case "kill": Signals.Kill(int.Parse(args[1])); Thread.Sleep(Timeout.Infinite); break;
    case "illegal": Exceptions.OnThread(Signals.RunIllegal); break;
    case "bus": Signals.ReadBehindFile(); break;
    case "jump": Signals.CallNowhere(); break;
    case "corrupt": Signals.CorruptHeap(); break;
    case "protected": Exceptions.OnThread(Signals.WriteReadOnly); break;
    default: Console.Error.WriteLine($"no way to die is called \"{way}\""); Environment.Exit(2); break;
}
