// SPDX-License-Identifier: MIT
#include "runtime/threads/threads.h"

#include <fmt/format.h>
#include <array>
#include <unordered_set>

#include "base/limits.h"
#include "runtime/aot/aot_statics.h"
#include "runtime/managed_objects.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {
namespace {

// .NET 8 keeps the context in the Thread, later versions in the thread's native storage, which the Thread points to.
Result<AllocationContext> readAllocationContext(const ClrRuntime& runtime, Address thread) {
  Address context;
  if (runtime.contract().has("Thread", "AllocContext")) {
    context = runtime.member(thread, "Thread", "AllocContext");
  } else {
    HEAPSCAPE_TRY(const Address locals, runtime.pointerAt(thread, "Thread", "RuntimeThreadLocals"));
    if (!locals) return AllocationContext{};
    context = runtime.member(locals, "RuntimeThreadLocals", "AllocContextPointer");
  }
  if (runtime.contract().has("EEAllocContext", "GCAllocationContext"))
    context = runtime.member(context, "EEAllocContext", "GCAllocationContext");
  AllocationContext result;
  HEAPSCAPE_TRY(result.pointer, runtime.pointerAt(context, "GCAllocContext", "Pointer"));
  HEAPSCAPE_TRY(result.limit, runtime.pointerAt(context, "GCAllocContext", "Limit"));
  return result;
}

}  // namespace

namespace {

constexpr std::uint32_t kBackground = 0x200;
constexpr std::uint32_t kUnstarted = 0x400;
constexpr std::uint32_t kDead = 0x800;
constexpr std::uint32_t kThreadPoolWorker = 0x0100'0000;

// A program compiled ahead of time leaves the id to the Thread object.
Result<std::uint32_t> readManagedId(const ClrRuntime& runtime, Address thread) {
  if (!runtime.aot()) return runtime.valueAt<std::uint32_t>(thread, "Thread", "Id");
  const Address managed = managedThreadOf(runtime, thread);
  const auto id = managed ? runtime.pointerAt(managed, "ManagedThread", "ManagedThreadId") : Result<Address>(managed);
  if (!id || !*id) return 0u;
  return runtime.valueAt<std::uint32_t>(*id, "ManagedThreadId", "Id").value_or(0);
}

/// The state in CoreCLR's bits. A program compiled ahead of time has others (src/coreclr/nativeaot/Runtime/thread.h),
/// which only tell whether a thread has come and gone; the rest stands in its Thread object.
Result<std::uint32_t> readState(const ClrRuntime& runtime, Address thread) {
  HEAPSCAPE_TRY(const std::uint32_t state, runtime.valueAt<std::uint32_t>(thread, "Thread", "State"));
  if (!runtime.aot()) return state;
  const Contract& contract = runtime.contract();
  if (state & contract.constant("ThreadState.Detached")) return kDead;
  if ((state & contract.constant("ThreadState.Attached")) == 0) return kUnstarted;
  const Address managed = managedThreadOf(runtime, thread);
  const auto own =
      managed ? runtime.valueAt<std::uint32_t>(managed, "ManagedThread", "ThreadState") : Result<std::uint32_t>(0u);
  std::uint32_t bits = 0;
  if (own && (*own & contract.constant("ManagedThread.Background"))) bits |= kBackground;
  if (own && (*own & contract.constant("ManagedThread.ThreadPool"))) bits |= kThreadPoolWorker;
  return bits;
}

}  // namespace

std::vector<RuntimeThread> readThreads(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<RuntimeThread> threads;
  const auto store = runtime.globalPointer("ThreadStore");
  const auto first = store ? runtime.pointerAt(*store, "ThreadStore", "FirstThreadLink") : store;
  if (!first) {
    findings.add(FindingKind::RuntimeDataDamaged, {}, "The runtime's list of threads cannot be read.");
    return threads;
  }
  // Until .NET 10 links lead to links, since then to threads.
  const std::uint64_t linkOffset = runtime.contract().offset("Thread", "LinkNext");
  const std::uint64_t linkInThread = runtime.contract().constant("ThreadStore.LinksToThreads") ? 0 : linkOffset;
  Address link = *first;
  std::unordered_set<Address> seen;
  while (link) {
    RuntimeThread thread;
    thread.address = link - linkInThread;
    const auto managedId = readManagedId(runtime, thread.address);
    const auto osId = runtime.valueAt<std::uint32_t>(thread.address, "Thread", "OSId");
    const auto state = readState(runtime, thread.address);
    const auto next = runtime.memory().readPointer(thread.address + linkOffset);
    if (!managedId || !osId || !state || !next || threads.size() >= kLimits.threads || !seen.insert(link).second) {
      findings.add(FindingKind::RuntimeDataDamaged, thread.address, "The runtime's list of threads breaks off.");
      break;
    }
    thread.managedId = *managedId;
    thread.osId = *osId;
    thread.state = *state;
    if (const auto context = readAllocationContext(runtime, thread.address)) {
      thread.allocationContext = *context;
    } else {
      findings.add(
          FindingKind::MemoryMissing, thread.address,
          "A thread's allocation context is not in the dump; the walk may end early in the region it allocates from.");
    }
    threads.push_back(thread);
    link = *next;
  }
  return threads;
}

namespace {

constexpr std::string_view kThreadNameField = "_name";  // of System.Threading.Thread
constexpr std::size_t kMaximumThreadName = 1024;

/// Target of a handle stored in a structure; null if there is none or it cannot be read.
Address targetOf(const ClrRuntime& runtime, Address structure, std::string_view type, std::string_view field) {
  const auto handle = runtime.pointerAt(structure, type, field);
  return handle && *handle ? runtime.memory().readPointer(*handle).value_or(Address{}) : Address{};
}

// The innermost exception that is being handled; after a throw outside of managed handlers only the last one thrown is
// noted (Thread::SyncManagedExceptionState).
Address exceptionOf(const ClrRuntime& runtime, Address thread) {
  const auto tracker = runtime.pointerAt(thread, "Thread", "ExceptionTracker");
  const Address handled = tracker && *tracker ? thrownObjectOf(runtime, *tracker) : Address{};
  return handled ? handled : targetOf(runtime, thread, "Thread", "LastThrownObject");
}

// A thread that blocks on a monitor pushes a note for debuggers, which lies on its own stack
// (src/coreclr/vm/threaddebugblockinginfo.h, AwareLock::EnterEpilogHelper). A monitor is the first member of its sync
// block. Waiting for a pulse is noted too, but does not wait for an owner.
Address awaitedBlockOf(const ClrRuntime& runtime, Address thread) {
  if (!notesWaiters(runtime)) return {};
  const auto item = runtime.pointerAt(thread, "Thread", "DebugBlockingInfo");
  if (!item || !*item) return {};
  const auto monitor = runtime.pointerAt(*item, "DebugBlockingItem", "Monitor");
  const auto type = runtime.valueAt<std::uint32_t>(*item, "DebugBlockingItem", "Type");
  const bool isForEntry =
      monitor && type && *type == runtime.contract().constant("DebugBlockingItem.MonitorCriticalSection");
  return isForEntry ? *monitor - runtime.contract().offset("SyncBlock", "LockState") : Address{};
}

std::string nameOf(const RuntimeReaders& readers, Address managedThread) {
  if (readers.runtime.aot()) {
    const auto name = readers.runtime.pointerAt(managedThread, "ManagedThread", "Name");
    if (!name || !*name) return {};
    return readManagedString(readers.runtime, *name, kMaximumThreadName).value_or(std::string());
  }
  const auto text = readReferenceField(readers.methodTables, readers.fields, managedThread, kThreadNameField);
  if (!text || !*text) return {};
  return readManagedString(readers.runtime, *text, kMaximumThreadName).value_or(std::string());
}

}  // namespace

bool notesWaiters(const ClrRuntime& runtime) {
  return runtime.contract().has("Thread", "DebugBlockingInfo");
}

Address thrownObjectOf(const ClrRuntime& runtime, Address tracker) {
  const auto thrown = runtime.pointerAt(tracker, "ExceptionInfo", "ThrownObject").value_or(Address{});
  if (!thrown || runtime.contract().constant("ExceptionInfo.ThrownObjectIsObject")) return thrown;
  return runtime.memory().readPointer(thrown).value_or(Address{});
}

// The limits stay noted when the thread has ended and its stack is somebody else's.
AddressRange stackLimitsOf(const ClrRuntime& runtime, const RuntimeThread& thread) {
  if (thread.osId == 0 || decodeThreadState(thread.state).isDead) return {};
  const auto base = runtime.pointerAt(thread.address, "Thread", "CacheStackBase");
  const auto limit = runtime.pointerAt(thread.address, "Thread", "CacheStackLimit");
  return base && limit && *limit < *base ? AddressRange{*limit, *base} : AddressRange{};
}

ThreadDetails readThreadDetails(const RuntimeReaders& readers, const RuntimeThread& thread) {
  const ClrRuntime& runtime = readers.runtime;
  ThreadDetails details;
  details.thread = thread;
  details.managedThread = runtime.aot() ? managedThreadOf(runtime, thread.address)
                                        : targetOf(runtime, thread.address, "Thread", "GCHandle");
  if (details.managedThread) details.name = nameOf(readers, details.managedThread);
  details.exception = exceptionOf(runtime, thread.address);
  details.stack = stackLimitsOf(runtime, thread);
  details.awaitedBlock = awaitedBlockOf(runtime, thread.address);
  details.isFinalizer = runtime.globalPointer("FinalizerThread").value_or(Address{}) == thread.address;
  details.isSuspending = runtime.globalPointer("SuspensionThread").value_or(Address{}) == thread.address;
  return details;
}

namespace {

/// Thread::ThreadState in src/coreclr/vm/threads.h, lowest bit first; the bits have had these meanings since before
/// .NET 8, and null for those that .NET 8 to 10 do not use.
constexpr std::array<const char*, 32> kBitNames{
    "abortRequested",
    "gcSuspendPending",
    "gcSuspendRedirected",
    "debugSuspendPending",
    "gcOnTransitions",
    "legalToJoin",
    "executingOnAltStack",
    "hijacked",
    nullptr,
    "background",
    "unstarted",
    "dead",
    "weOwn",
    "coInitialized",
    "inSta",
    "inMta",
    "reportDead",
    "fullyInitialized",
    "taskReset",
    "syncSuspended",
    "debugWillSync",
    "stackCrawlNeeded",
    nullptr,
    nullptr,
    "threadPoolWorker",
    "interruptible",
    "interrupted",
    "completionPortThread",
    "abortInitiated",
    "finalized",
    "failedToStart",
    "detached",
};

constexpr std::uint32_t kThreadPool = kThreadPoolWorker | 0x0800'0000;  // or completion port

}  // namespace

ThreadState decodeThreadState(std::uint32_t bits) {
  ThreadState state;
  for (std::size_t bit = 0; bit < kBitNames.size(); ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    state.names.push_back(kBitNames[bit] ? kBitNames[bit] : fmt::format("bit{}", bit));
  }
  state.isStarted = (bits & kUnstarted) == 0;
  state.isDead = (bits & kDead) != 0;
  state.isBackground = (bits & kBackground) != 0;
  state.isThreadPool = (bits & kThreadPool) != 0;
  return state;
}

bool isAlive(const RuntimeThread& thread) {
  const ThreadState state = decodeThreadState(thread.state);
  return thread.osId != 0 && state.isStarted && !state.isDead;
}

}  // namespace heapscape::engine
