// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// One try block of a method with what handles exceptions in it (EE_ILEXCEPTION_CLAUSE,
/// src/coreclr/inc/eexcp.h). Offsets are bytes from the start of the method's code; ends are not in the ranges. Until
/// .NET 9 an empty try block marks a copy of a finally block within the method's own code.
struct ExceptionClause {
  std::uint32_t tryStart = 0;
  std::uint32_t tryEnd = 0;
  std::uint32_t handlerStart = 0;
  std::uint32_t handlerEnd = 0;
  std::optional<std::uint32_t> filterStart = {};  // only of a handler with an exception filter (`when` in C#)
  std::uint32_t flags = 0;                        // CorExceptionFlag, and those of the runtime from 0x10000000 on
  std::uint64_t caught = 0;  // of a catch: token of the type in the method's module, or a type handle
};

/// Reads what methods handle. Every call reads the dump. Safe from any thread.
class ExceptionClauses {
 public:
  explicit ExceptionClauses(const ClrRuntime& runtime) : m_runtime(runtime) {}

  /// The clauses of the whole method, in the order in which they are asked; nullopt if the dump does not hold them all.
  std::optional<std::vector<ExceptionClause>> of(const CodeLocation& code) const;
  /// Whether the code is a funclet that is an exception filter; false also where `of` gives nothing.
  bool isFilter(const CodeLocation& code) const;

 private:
  struct Table {
    Address first;
    std::uint64_t count = 0;
  };
  std::optional<Table> jittedTable(const CodeLocation& code) const;
  std::optional<Table> readyToRunTable(const CodeLocation& code) const;
  std::optional<ExceptionClause> readClause(Address clause, bool isReadyToRun) const;

  const ClrRuntime& m_runtime;
};

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
  /// Whose filter, catch or finally block runs, see runsIn(); in .NET 8 of the method itself if a funclet has it.
  Address clauseFrame;
  Address tracker = {};  // the runtime's structure itself

  /// Whether it is this frame's filter, catch or finally block that runs. The frame is named by its stack pointer, on
  /// arm64 by its caller's (GetSpForDiagnosticReporting, src/coreclr/vm/exceptionhandling.cpp).
  bool runsIn(const ManagedFrame& frame) const {
    const bool isByCaller = frame.registers.architecture == Architecture::Arm64;
    return clauseFrame && clauseFrame == (isByCaller ? frame.callerStackPointer : frame.registers.stackPointer());
  }
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
