// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

struct RuntimeReaders;

/// The piece of the heap that one thread allocates from without asking: [pointer, limit) is not written yet.
struct AllocationContext {
  Address pointer;
  Address limit;
};

/// A thread that the runtime knows.
struct RuntimeThread {
  Address address;
  std::uint32_t managedId = 0;
  std::uint32_t osId = 0;
  std::uint32_t state = 0;
  AllocationContext allocationContext;
};

/// All threads of the runtime's thread store, in its order; a damaged list is read as far as it goes.
std::vector<RuntimeThread> readThreads(const ClrRuntime& runtime, FindingList& findings);

/// Notes of the runtime on one thread (src/coreclr/vm/threads.h).
struct ThreadDetails {
  RuntimeThread thread;
  std::string name;       // that the program gave it; empty for none
  Address managedThread;  // the System.Threading.Thread object; 0 if there is none
  Address exception;      // being handled, else the last one thrown that nobody caught yet; 0 for none
  AddressRange stack;     // empty if the thread does not run or the dump does not hold its limits
  Address awaitedBlock;   // the sync block whose monitor it waits to enter, where that is noted; 0 for none
  bool isFinalizer = false;
  bool isSuspending = false;  // it stops all others for a collection, or runs that
};

/// The thread's own stack as the runtime noted it; empty if the thread does not run or the dump does not hold its
/// limits. Signals may be handled on another one: always when a stack overflows.
AddressRange stackLimitsOf(const ClrRuntime& runtime, const RuntimeThread& thread);

/// Whether the runtime notes of each thread which monitor it waits to enter, as it does until .NET 10.
bool notesWaiters(const ClrRuntime& runtime);

/// The exception object of an ExceptionInfo, which the runtime keeps of each that is on its way; 0 if there is none.
/// Until .NET 10 a handle leads to it.
Address thrownObjectOf(const ClrRuntime& runtime, Address tracker);

/// Never fails: what the dump does not hold stays empty.
ThreadDetails readThreadDetails(const RuntimeReaders& readers, const RuntimeThread& thread);

/// Facts that the state's bits tell.
struct ThreadState {
  std::vector<std::string> names;  // of all bits that are set, lowest first: "background", "dead"; "bit22" for others
  bool isStarted = false;
  bool isDead = false;
  bool isBackground = false;
  bool isThreadPool = false;
};
ThreadState decodeThreadState(std::uint32_t bits);
/// Whether the thread has begun and has not ended.
bool isAlive(const RuntimeThread& thread);

}  // namespace heapscape::engine
