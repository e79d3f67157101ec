// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/runtime_readers.h"
#include "runtime/threads/threads.h"
#include "stacks/exception_handling.h"
#include "stacks/frames/explicit_frames.h"
#include "stacks/stack_frame.h"
#include "stacks/unwinding/native_unwinder.h"

namespace heapscape::engine {

/// A frame of managed code, or one that the runtime put on the stack.
struct StackEntry {
  std::optional<ManagedFrame> managed = {};
  ExplicitFrame explicitFrame = {};  // where there is no managed one
  /// Explicit only: lies within the managed frame that follows, which called through it.
  bool isWithinNext = false;
  /// Managed only: reached from code of the runtime that put no frame on the stack, by unwinding that. Its GC info need
  /// not tell anything of this call.
  bool isBehindHelper = false;
  Address instruction = {};
  Address stackPointer = {};  // of an explicit frame its own address
};

/// The frames of one thread that the runtime knows of, innermost first.
struct StackWalk {
  std::deque<StackEntry> entries;  // an endless recursion has hundreds of thousands: they are not moved
  std::optional<Registers> top;    // as the dump has them; nothing for a thread that it has no registers of
  std::optional<Registers>
      bottom;           // of the native code that called the outermost managed frame; nothing if that is not known
  std::string problem;  // why frames are missing, so that the walk did not come to the thread's first frame; or empty
  std::optional<std::size_t> gap;  // the entry behind which they are missing, where it went on further out all the same
};

/// Walks the stacks of one dump as the runtime does it (StackFrameIterator, src/coreclr/vm/stackwalk.cpp). Remembers
/// which method an instruction belongs to; not safe from several threads.
class StackWalker {
 public:
  StackWalker(const RuntimeReaders& readers, const NativeUnwinder& native);

  /// `own`: the thread's own stack; empty where it is not known.
  StackWalk walk(const RuntimeThread& thread, const Registers& registers, AddressRange own);

  /// Whether managed code called a frame of managed code directly.
  bool isCalledByManaged(const StackEntry& entry);

 private:
  struct State;
  const std::optional<CodeLocation>& codeAt(Address instruction);
  /// What native code that put no frame on the stack was called by, or interrupted.
  struct CallerOfHelper {
    Registers registers;
    bool isInterrupted = false;  // by a signal
  };
  std::optional<CallerOfHelper> managedCallerOfHelper(const Registers& registers, Address firstFrame, AddressRange own);
  bool goOnBehindHelper(State& state, const Registers& registers);
  bool isUndescribed(Address instruction);
  bool isLeftThrough(Address firstFrame, const Registers& managed);
  std::optional<Registers> callerByWords(const Registers& registers);
  bool addManaged(State& state);
  bool addExplicit(State& state);
  void begin(State& state, const RuntimeThread& thread, const Registers& registers);

  const RuntimeReaders& m_readers;
  const NativeUnwinder& m_native;
  ExplicitFrames m_frames;
  ExceptionClauses m_clauses;
  std::unordered_map<Address, std::optional<CodeLocation>> m_code;
  std::size_t m_frameCount = 0;  // of all walks so far
};

}  // namespace heapscape::engine
