// SPDX-License-Identifier: MIT
#include "session/threads/thread_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "runtime/managed_objects.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/async/async_graph.h"
#include "session/async/async_types.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/crash_cause.h"

namespace heapscape::engine {
namespace {

/// Target that a thread in such a method waits for.
enum class Awaits : std::uint8_t {
  Nothing,   // of it: time, data from outside, an end of its own work
  Task,      // one task
  Thread,    // its end
  Own,       // the object that the method belongs to
  Argument,  // what the method was called with
  Handle,    // a wait handle, by what it wraps
  Pulse,     // of a monitor whose Condition the method belongs to
  Untold,    // several, or what no frame keeps
};

/// A method of .NET and what a thread does that is in it, called by the program or for it. `type`: of generic ones
/// without arguments. `method`: what its name begins with.
struct WaitingMethod {
  std::string_view type, method, words;
  Awaits awaits = Awaits::Nothing;

  /// "Task.Wait": the words without what leads to it.
  std::string_view called() const {
    constexpr std::array<std::string_view, 4> kLeads{"waits in ", "waits to enter a ", "waits for ", "spins in "};
    for (const std::string_view lead : kLeads) {
      if (words.starts_with(lead)) return words.substr(lead.size());
    }
    return words;
  }
};

// Checked on .NET 8 to 11, where the names of inner methods differ.
constexpr std::array kWaitingMethods{
    WaitingMethod{"System.Collections.Concurrent.BlockingCollection", "Add", "waits in BlockingCollection.Add",
                  Awaits::Own},
    WaitingMethod{"System.Collections.Concurrent.BlockingCollection", "Take", "waits in BlockingCollection.Take",
                  Awaits::Own},
    WaitingMethod{"System.Collections.Concurrent.BlockingCollection", "TryAdd", "waits in BlockingCollection.Add",
                  Awaits::Own},
    WaitingMethod{"System.Collections.Concurrent.BlockingCollection", "TryTake", "waits in BlockingCollection.Take",
                  Awaits::Own},
    WaitingMethod{"System.Console", "Read", "reads from the console"},
    WaitingMethod{"System.ConsolePal", "Read", "reads from the console"},
    WaitingMethod{"System.Diagnostics.Process", "WaitForExit", "waits for a process to exit"},
    WaitingMethod{"System.Diagnostics.ProcessWaitState", "WaitForExit", "waits for a process to exit"},
    WaitingMethod{"System.GC", "WaitForPendingFinalizers", "waits in GC.WaitForPendingFinalizers"},
    WaitingMethod{"System.GC", "Collect", "collects garbage in GC.Collect"},
    WaitingMethod{"System.GC", "_Collect", "collects garbage in GC.Collect"},
    WaitingMethod{"System.IO.FileStream", "Read", "reads from a file"},
    WaitingMethod{"System.IO.FileStream", "Write", "writes to a file"},
    WaitingMethod{"System.IO.FileSystemWatcher+INotify", "", "watches files"},
    WaitingMethod{"System.IO.FileSystemWatcher+RunningInstance", "", "watches files"},
    WaitingMethod{"System.IO.Pipes.AnonymousPipeClientStream", "Read", "reads from a pipe"},
    WaitingMethod{"System.IO.Pipes.NamedPipeServerStream", "WaitForConnection", "waits for a pipe's client"},
    WaitingMethod{"System.IO.Pipes.PipeStream", "Read", "reads from a pipe"},
    WaitingMethod{"System.IO.Pipes.PipeStream", "Write", "writes to a pipe"},
    WaitingMethod{"System.IO.RandomAccess", "Read", "reads from a file"},
    WaitingMethod{"System.IO.RandomAccess", "Write", "writes to a file"},
    WaitingMethod{"System.Net.Dns", "", "looks up a name in Dns"},
    WaitingMethod{"System.Net.Sockets.NetworkStream", "Read", "waits in Socket.Receive"},
    WaitingMethod{"System.Net.Sockets.NetworkStream", "Write", "waits in Socket.Send"},
    WaitingMethod{"System.Net.Sockets.Socket", "Accept", "waits in Socket.Accept"},
    WaitingMethod{"System.Net.Sockets.Socket", "Connect", "waits in Socket.Connect"},
    WaitingMethod{"System.Net.Sockets.Socket", "Poll", "waits in Socket.Poll"},
    WaitingMethod{"System.Net.Sockets.Socket", "Receive", "waits in Socket.Receive"},
    WaitingMethod{"System.Net.Sockets.Socket", "Select", "waits in Socket.Select"},
    WaitingMethod{"System.Net.Sockets.Socket", "Send", "waits in Socket.Send"},
    WaitingMethod{"System.Net.Sockets.SocketAsyncEngine", "EventLoop", "waits for events of sockets"},
    WaitingMethod{"System.Net.Sockets.TcpListener", "Accept", "waits in Socket.Accept"},
    WaitingMethod{"System.Runtime.CompilerServices.ConfiguredTaskAwaitable+ConfiguredTaskAwaiter", "GetResult",
                  "waits in GetAwaiter().GetResult", Awaits::Task},
    WaitingMethod{"System.Runtime.CompilerServices.InitHelpers", "InitClass", "waits for a static constructor",
                  Awaits::Untold},
    WaitingMethod{"System.Runtime.CompilerServices.TaskAwaiter", "", "waits in GetAwaiter().GetResult", Awaits::Task},
    WaitingMethod{"System.Runtime.CompilerServices.ValueTaskAwaiter", "", "waits in GetAwaiter().GetResult",
                  Awaits::Task},
    WaitingMethod{"System.Runtime.EH", "", "throws an exception"},
    WaitingMethod{"System.Threading.Barrier", "SignalAndWait", "waits in Barrier.SignalAndWait", Awaits::Own},
    WaitingMethod{"System.Threading.Condition", "Wait", "waits in Monitor.Wait", Awaits::Pulse},
    WaitingMethod{"System.Threading.CountdownEvent", "Wait", "waits in CountdownEvent.Wait", Awaits::Own},
    WaitingMethod{"System.Threading.Lock", "", "waits to enter a Lock", Awaits::Own},
    WaitingMethod{"System.Threading.LowLevelLifoSemaphore", "Wait", "idle pool thread"},
    WaitingMethod{"System.Threading.ManualResetEventSlim", "Wait", "waits in ManualResetEventSlim.Wait", Awaits::Own},
    WaitingMethod{"System.Threading.Monitor", "Enter", "waits in Monitor.Enter", Awaits::Argument},
    WaitingMethod{"System.Threading.Monitor", "ReliableEnter", "waits in Monitor.Enter", Awaits::Argument},
    WaitingMethod{"System.Threading.Monitor", "TryEnter", "waits in Monitor.Enter", Awaits::Argument},
    WaitingMethod{"System.Threading.Monitor", "Wait", "waits in Monitor.Wait", Awaits::Argument},
    WaitingMethod{"System.Threading.PortableThreadPool+GateThread", "", "pool gate thread"},
    WaitingMethod{"System.Threading.PortableThreadPool+IOCompletionPoller", "", "waits for events of the pool"},
    WaitingMethod{"System.Threading.PortableThreadPool+WaitThread", "", "waits for the pool's wait handles"},
    WaitingMethod{"System.Threading.ReaderWriterLock", "Acquire", "waits to enter a ReaderWriterLock", Awaits::Own},
    WaitingMethod{"System.Threading.ReaderWriterLockSlim", "", "waits to enter a ReaderWriterLockSlim", Awaits::Own},
    WaitingMethod{"System.Threading.SemaphoreSlim", "Wait", "waits in SemaphoreSlim.Wait", Awaits::Own},
    WaitingMethod{"System.Threading.SpinWait", "SpinUntil", "spins in SpinWait.SpinUntil"},
    WaitingMethod{"System.Threading.Tasks.Parallel", "", "waits in Parallel", Awaits::Untold},
    WaitingMethod{"System.Threading.Tasks.Task", "GetResultCore", "waits in Task.Result", Awaits::Task},
    WaitingMethod{"System.Threading.Tasks.Task", "InternalWait", "waits in Task.Wait", Awaits::Task},
    WaitingMethod{"System.Threading.Tasks.Task", "Wait", "waits in Task.Wait", Awaits::Task},
    WaitingMethod{"System.Threading.Tasks.Task", "WaitAll", "waits in Task.WaitAll", Awaits::Untold},
    WaitingMethod{"System.Threading.Tasks.Task", "WaitAny", "waits in Task.WaitAny", Awaits::Untold},
    WaitingMethod{"System.Threading.Tasks.Task", "get_Result", "waits in Task.Result", Awaits::Task},
    WaitingMethod{"System.Threading.Thread", "<PollGC>", "waits for a collection to end"},
    WaitingMethod{"System.Threading.Thread", "Join", "waits in Thread.Join", Awaits::Thread},
    WaitingMethod{"System.Threading.Thread", "Sleep", "waits in Thread.Sleep"},
    WaitingMethod{"System.Threading.TimerQueue", "TimerThread", "waits for the next timer"},
    WaitingMethod{"System.Threading.WaitHandle", "SignalAndWait", "waits in WaitHandle.SignalAndWait", Awaits::Untold},
    WaitingMethod{"System.Threading.WaitHandle", "WaitAll", "waits in WaitHandle.WaitAll", Awaits::Untold},
    WaitingMethod{"System.Threading.WaitHandle", "WaitAny", "waits in WaitHandle.WaitAny", Awaits::Untold},
    WaitingMethod{"System.Threading.WaitHandle", "WaitMultiple", "waits in WaitHandle.WaitAny or WaitAll",
                  Awaits::Untold},
    WaitingMethod{"System.Threading.WaitHandle", "WaitOne", "waits in WaitHandle.WaitOne", Awaits::Handle},
};
constexpr std::string_view kMonitorLock = "System.Threading.Lock";
constexpr std::string_view kStub = "IL_STUB";  // code between managed and native that the runtime makes

/// Null for every other method. The longest name wins: WaitAll is no Wait.
const WaitingMethod* findWaiting(const FrameRow& frame) {
  const std::string_view type = std::string_view(frame.type).substr(0, frame.type.find_first_of("<`["));
  const WaitingMethod* best = nullptr;
  for (const WaitingMethod& waiting : kWaitingMethods) {
    if (waiting.type != type || !frame.method.starts_with(waiting.method)) continue;
    if (!best || waiting.method.size() > best->method.size()) best = &waiting;
  }
  return best;
}

std::string fullName(const FrameRow& frame) {
  return frame.type.empty() ? frame.method : fmt::format("{}.{}", frame.type, frame.method);
}

/// The innermost frames that are not the program's own: the part of .NET that it has called, with what that called.
struct CalledPart {
  std::size_t end = 0;                     // the program's innermost frame; the number of frames if there is none
  const WaitingMethod* waiting = nullptr;  // the outermost that is known
  std::size_t waitingFrame = 0;
  const FrameRow* called = nullptr;     // the outermost managed one
  const FrameRow* innermost = nullptr;  // the innermost managed one
  bool isNative = false;                // native code is on top
};

CalledPart calledPart(const std::vector<FrameRow>& frames) {
  CalledPart part;
  for (; part.end < frames.size(); ++part.end) {
    const FrameRow& frame = frames[part.end];
    if (frame.kind != FrameKind::Managed || frame.method.starts_with(kStub)) {
      const bool isCall = frame.kind != FrameKind::Runtime || frame.origin == "InlinedCallFrame";
      part.isNative |= isCall && !part.called;
      continue;
    }
    if (frame.owner != CodeOwner::Framework) break;
    part.called = &frame;
    if (!part.innermost) part.innermost = &frame;
    if (const WaitingMethod* waiting = findWaiting(frame)) {
      part.waiting = waiting;
      part.waitingFrame = part.end;
    }
  }
  return part;
}

bool isEntryOfMonitor(const WaitingMethod& waiting) {
  return waiting.type == "System.Threading.Monitor" && waiting.method != "Wait";
}

/// Roots of a frame; none where its numbers are wrong.
std::span<const StackRootRow> rootsOf(const ThreadStackRow& thread, const FrameRow& frame) {
  if (frame.firstRoot > thread.roots.size() || frame.rootCount > thread.roots.size() - frame.firstRoot) return {};
  return std::span(thread.roots).subspan(frame.firstRoot, frame.rootCount);
}

bool isEventType(std::string_view typeName) {
  constexpr std::array<std::string_view, 5> kTypes{"AutoResetEvent", "EventWaitHandle", "ManualResetEvent", "Mutex",
                                                   "Semaphore"};
  constexpr std::string_view kNamespace = "System.Threading.";
  return typeName.starts_with(kNamespace) && std::ranges::count(kTypes, typeName.substr(kNamespace.size()));
}

std::string_view withoutArguments(std::string_view typeName) {
  return typeName.substr(0, typeName.find('<'));
}

/// Finds the object that a thread waits for among the references that the frames of the wait keep, from the one that
/// the program called inwards.
class AwaitedRoot {
 public:
  AwaitedRoot(const Snapshot& snapshot, const ThreadStackRow& thread, const CalledPart& part)
      : m_readers(*snapshot.contents().readers), m_thread(thread), m_part(part) {}

  /// Null where no frame keeps it.
  const StackRootRow* find() const {
    switch (m_part.waiting->awaits) {
      case Awaits::Task:
        return first([this](const StackRootRow& root) { return isTask(root); });
      case Awaits::Thread:
        return first([](const StackRootRow& root) { return root.typeName == "System.Threading.Thread"; });
      case Awaits::Argument:
        return first([](const StackRootRow&) { return true; });
      case Awaits::Own:
      case Awaits::Pulse:
        return own();
      case Awaits::Handle:
        return handle();
      case Awaits::Nothing:
      case Awaits::Untold:
        break;
    }
    return nullptr;
  }

  /// The Lock of a monitor that is being entered.
  const StackRootRow* lock() const {
    return first([](const StackRootRow& root) { return root.typeName == kMonitorLock; });
  }

 private:
  const StackRootRow* first(const auto& isWanted) const {
    for (std::size_t i = m_part.waitingFrame + 1; i-- > 0;) {
      for (const StackRootRow& root : rootsOf(m_thread, m_thread.frames[i])) {
        if (root.object && !root.isInterior && root.isExact && isWanted(root)) return &root;
      }
    }
    return nullptr;
  }

  // Every task has the field, whatever class it is of.
  bool isTask(const StackRootRow& root) const {
    return isAsyncBoxName(root.typeName) ||
           readReferenceField(m_readers.methodTables, m_readers.fields, root.object, "m_continuationObject");
  }

  // A CountdownEvent waits in an event of its own, and keeps only that.
  const StackRootRow* own() const {
    const auto isOf = [](std::string_view type) {
      return [type](const StackRootRow& root) { return withoutArguments(root.typeName) == type; };
    };
    const StackRootRow* found = first(isOf(m_part.waiting->type));
    return found ? found : first(isOf("System.Threading.ManualResetEventSlim"));
  }

  // The frames of WaitOne keep nothing but what the handle wraps.
  const StackRootRow* handle() const {
    const StackRootRow* wrapped =
        first([](const StackRootRow& root) { return root.typeName == "Microsoft.Win32.SafeHandles.SafeWaitHandle"; });
    if (!wrapped) return nullptr;
    for (const StackRootRow& root : m_thread.roots) {
      if (root.isInterior || !isEventType(root.typeName)) continue;
      const auto handle = readReferenceField(m_readers.methodTables, m_readers.fields, root.object, "_waitHandle");
      if (handle && *handle == wrapped->object) return &root;
    }
    return nullptr;
  }

  const RuntimeReaders& m_readers;
  const ThreadStackRow& m_thread;
  const CalledPart& m_part;
};

ThreadDetails detailsOf(const Snapshot& snapshot, const ThreadStackRow& thread) {
  RuntimeThread runtimeThread;
  runtimeThread.address = thread.thread;
  return readThreadDetails(*snapshot.contents().readers, runtimeThread);
}

Outcome<void> tellDoings(const Snapshot& snapshot, StackList& list, const std::stop_token& stop) {
  ThreadWaits waits(snapshot);
  for (ThreadStackRow& thread : list.threads) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    thread.doing = waits.doingOf(thread);
  }
  return {};
}

}  // namespace

const std::vector<SyncBlock>& ThreadWaits::syncBlocks() {
  FindingList repeated;  // whoever lists locks tells
  if (!m_syncBlocks) m_syncBlocks = readSyncBlocks(m_snapshot.contents().readers->runtime, repeated);
  return *m_syncBlocks;
}

const SyncBlock* ThreadWaits::blockOfLock(Address lock) {
  const auto found = std::ranges::find(syncBlocks(), lock, &SyncBlock::lock);
  return !lock || found == m_syncBlocks->end() ? nullptr : &*found;
}

const SyncBlock* ThreadWaits::awaitedMonitor(const ThreadStackRow& thread) {
  if (notesWaiters(m_snapshot.contents().readers->runtime)) {
    const Address noted = detailsOf(m_snapshot, thread).awaitedBlock;
    const auto found = std::ranges::find(syncBlocks(), noted, &SyncBlock::address);
    return !noted || found == m_syncBlocks->end() ? nullptr : &*found;
  }
  const CalledPart part = calledPart(thread.frames);
  const bool isEntering = part.waiting && (part.waiting->type == kMonitorLock || isEntryOfMonitor(*part.waiting));
  const StackRootRow* lock = isEntering ? AwaitedRoot(m_snapshot, thread, part).lock() : nullptr;
  return lock ? blockOfLock(lock->object) : nullptr;
}

std::string ThreadWaits::monitorWords(const SyncBlock& block) const {
  std::string holder = block.isHeld ? fmt::format(", which thread {} holds", block.holderManagedId) : "";
  if (block.hasHolderEnded) holder = ", which a thread holds that has ended";
  return fmt::format("waits in Monitor.Enter on {}{}", referredObject(m_snapshot, block.object).typeName, holder);
}

std::string ThreadWaits::methodOfTask(const StackRootRow& task) {
  if (isAsyncBoxName(task.typeName)) return asyncMethodOfBox(task.typeName);
  if (!isRuntimeAsyncTaskName(task.typeName)) return {};
  if (!m_suspended) m_suspended.emplace(m_snapshot.contents());
  const std::vector<std::string> methods = m_suspended->methodsOfTask(task.object);
  return methods.empty() ? std::string() : methods.back();
}

std::string ThreadWaits::doingOf(const ThreadStackRow& thread) {
  if (const CrashCause& cause = crashCauseOf(m_snapshot); thread.thread && cause.thread == thread.thread)
    return dyingWords(cause);
  const CalledPart part = calledPart(thread.frames);
  const ThreadDetails details = detailsOf(m_snapshot, thread);
  // Until .NET 10 the runtime itself notes who waits to enter a monitor; on .NET 8 no frame tells.
  if (const SyncBlock* monitor = awaitedMonitor(thread)) return monitorWords(*monitor);
  if (details.awaitedBlock) return "waits in Monitor.Enter";
  if (part.waiting) {
    const StackRootRow* awaited = AwaitedRoot(m_snapshot, thread, part).find();
    if (awaited && part.waiting->awaits == Awaits::Handle)
      return fmt::format("waits in {}.WaitOne",
                         std::string_view(awaited->typeName).substr(awaited->typeName.rfind('.') + 1));
    const std::string method = awaited ? methodOfTask(*awaited) : std::string();
    if (method.empty()) return std::string(part.waiting->words);
    return fmt::format("waits for {} {}", method, part.waiting->words.substr(std::string_view("waits ").size()));
  }
  const bool isOfProgram = part.end < thread.frames.size();
  if (part.called) return fmt::format("in {}", fullName(isOfProgram ? *part.called : *part.innermost));
  if (isOfProgram) {
    const std::string name = fullName(thread.frames[part.end]);
    return part.isNative ? fmt::format("in native code called by {}", name) : fmt::format("runs {}", name);
  }
  if (!thread.thread) return {};
  if (details.isFinalizer) return "finalizer idle";
  return details.isSuspending ? "collects garbage" : std::string();
}

std::optional<AwaitedObject> ThreadWaits::awaitedBy(const ThreadStackRow& thread) {
  // Who dies waits for nothing any more.
  if (thread.thread && crashCauseOf(m_snapshot).thread == thread.thread) return std::nullopt;
  const CalledPart part = calledPart(thread.frames);
  if (!part.waiting || part.waiting->awaits == Awaits::Nothing) return std::nullopt;
  if (detailsOf(m_snapshot, thread).awaitedBlock || awaitedMonitor(thread)) return std::nullopt;
  AwaitedObject awaited{.kind = AwaitedKind::Object, .called = std::string(part.waiting->called())};
  if (part.waiting->awaits == Awaits::Task) awaited.kind = AwaitedKind::Task;
  if (part.waiting->awaits == Awaits::Thread) awaited.kind = AwaitedKind::Thread;
  if (const StackRootRow* root = AwaitedRoot(m_snapshot, thread, part).find()) {
    awaited.object = root->object;
    awaited.typeName = root->typeName;
  }
  if (part.waiting->awaits == Awaits::Pulse) tellMonitorOf(awaited);
  return awaited;
}

void ThreadWaits::tellMonitorOf(AwaitedObject& condition) {
  const RuntimeReaders& readers = *m_snapshot.contents().readers;
  const auto lock = readReferenceField(readers.methodTables, readers.fields, condition.object, "_lock");
  const SyncBlock* block = lock ? blockOfLock(*lock) : nullptr;
  if (!block) return;
  condition.object = block->object;
  condition.typeName = referredObject(m_snapshot, block->object).typeName;
}

Outcome<StackList> listStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop) {
  HEAPSCAPE_TRY(StackList list, readStacks(snapshot, options, stop));
  HEAPSCAPE_CHECK(tellDoings(snapshot, list, stop));
  return list;
}

Outcome<std::shared_ptr<const StackList>> keptStacksInWords(const Snapshot& snapshot, std::stop_token stop) {
  return snapshot.contents().stacksInWords->get([&]() -> Outcome<StackList> {
    HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, stop));
    StackList list = *stacks;
    HEAPSCAPE_CHECK(tellDoings(snapshot, list, stop));
    return list;
  });
}

std::string doingOf(const Snapshot& snapshot, const ThreadStackRow& thread) {
  return ThreadWaits(snapshot).doingOf(thread);
}

std::unordered_map<Address, std::uint32_t> runnersOfTasks(const StackList& stacks) {
  std::unordered_map<Address, std::uint32_t> runners;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!root.object || root.isInterior || !root.isExact || root.frame >= thread.frames.size()) continue;
      // Only the thread that runs a task has a frame that executes it; others wait in Task, or keep it in a local.
      const FrameRow& frame = thread.frames[root.frame];
      const bool runsDelegate = frame.type == "System.Threading.Tasks.Task" && frame.method.starts_with("Execute");
      const bool runsMethod = (isAsyncBoxName(frame.type) && isAsyncBoxName(root.typeName)) ||
                              (dispatchesContinuations(frame) && isRuntimeAsyncTaskName(root.typeName));
      if (runsDelegate || runsMethod) runners.emplace(root.object, thread.managedId);
    }
  }
  return runners;
}

void joinThreads(AsyncList& list, const StackList& stacks) {
  std::unordered_map<Address, std::uint32_t> events, running;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!root.object || root.frame >= thread.frames.size()) continue;
      const FrameRow& frame = thread.frames[root.frame];
      if (!root.isInterior) events.emplace(root.object, thread.managedId);
      // A method works on the state machine inside of the object.
      if (frame.isAsync || isAsyncBoxName(frame.type) || dispatchesContinuations(frame))
        running.emplace(root.object, thread.managedId);
    }
  }
  const auto threadOf = [](const auto& threads, Address object) {
    const auto found = threads.find(object);
    return found == threads.end() ? 0 : found->second;
  };
  for (const AsyncChain& chain : list.chains) {
    for (std::uint32_t i = chain.firstFrame; i < chain.firstFrame + chain.frameCount; ++i) {
      AsyncFrame& frame = list.frames[i];
      if (frame.event) frame.thread = threadOf(events, frame.event);
      const bool isRunning = i == chain.firstFrame && chain.state == AsyncState::Running;
      if (isRunning && !frame.thread) frame.thread = threadOf(running, frame.object);
    }
  }
}

}  // namespace heapscape::engine
