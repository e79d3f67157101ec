// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Which part of a method an exception has called (COR_PRF_CLAUSE_TYPE, src/coreclr/inc/corprof.idl).
enum class RunningClause : std::uint8_t { None, Filter, Catch, Finally };

/// An exception between its throw and the end of the handler that catches it (ExInfo, in .NET 8 ExceptionTracker;
/// src/coreclr/vm/exinfo.h, exceptionhandling.h). Frames are named by stack pointers.
struct ExceptionOnItsWay {
  Address object;            // that was thrown; 0 if the dump does not tell
  bool isUnwinding = false;  // the handler is known, and frames are taken down to it; before that, one is looked for
  Address scannedLow;        // of the frame that has thrown
  Address scannedHigh;       // of the frame that the pass has come to; since .NET 9 0 in the search for a handler
  Address handlerCaller;     // of the caller of the frame with the handler; 0 while none is found
  RunningClause clause = RunningClause::None;
  /// What could not be read or written, where it was thrown because of that.
  std::optional<Address> faultAddress = {};
  Address clauseFrame;  // whose filter, catch or finally block runs; in .NET 8 the method itself if a funclet has it

  /// Whether a frame no longer exists for the program, told by its caller's stack pointer: it is still on the stack
  /// only because the handler runs above it.
  bool hasUnwound(Address callerStackPointer) const {
    return isUnwinding && callerStackPointer > scannedLow && callerStackPointer <= scannedHigh;
  }
  /// Whether the frame, told by its caller's stack pointer, handles the exception.
  bool isHandledBy(Address callerStackPointer) const {
    return handlerCaller && isUnwinding && callerStackPointer == handlerCaller;
  }
};

/// All of a thread, the newest first; each further one was thrown before, and its handler has thrown the one in front.
std::vector<ExceptionOnItsWay> exceptionsOf(const ClrRuntime& runtime, Address thread);

}  // namespace heapscape::engine
