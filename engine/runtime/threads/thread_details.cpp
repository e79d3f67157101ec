// SPDX-License-Identifier: MIT
#include "runtime/threads/thread_details.h"

#include "runtime/managed_string.h"
#include "runtime/object_fields.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kThreadNameField = "_name";  // of System.Threading.Thread
constexpr std::size_t kMaximumThreadName = 1024;

/// What a handle stored in a structure refers to; null if there is none or it cannot be read.
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
  details.managedThread = targetOf(runtime, thread.address, "Thread", "GCHandle");
  if (details.managedThread) details.name = nameOf(readers, details.managedThread);
  details.exception = exceptionOf(runtime, thread.address);
  details.stack = stackLimitsOf(runtime, thread);
  details.awaitedBlock = awaitedBlockOf(runtime, thread.address);
  details.isFinalizer = runtime.globalPointer("FinalizerThread").value_or(Address{}) == thread.address;
  details.isSuspending = runtime.globalPointer("SuspensionThread").value_or(Address{}) == thread.address;
  return details;
}

}  // namespace heapscape::engine
