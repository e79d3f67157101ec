// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/methods/code_lookup.h"
#include "stacks/frames/explicit_frame_kind.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// Whether addresses can be compared: both on a thread's own stack, or neither. Signals are handled on another stack,
/// which lies anywhere: always when a stack overflows. `own` is empty where it is not known.
constexpr bool areOnOneStack(AddressRange own, Address left, Address right) {
  // What overflows it has moved its stack pointer below the limit that the runtime noted.
  const AddressRange whole{own.isEmpty() ? own.start : own.start - kPageBytes, own.end};
  return whole.contains(left) == whole.contains(right);
}
/// Whether `further` may lie further out than `place`: above it, or on the thread's own stack rather than on another.
constexpr bool mayLieFurtherOut(AddressRange own, Address place, Address further) {
  return areOnOneStack(own, place, further) ? further > place : own.contains(further);
}

/// A frame of managed code as the walk meets it, with all that GC info needs to tell its references
/// (CrawlFrame, src/coreclr/vm/stackwalk.h).
struct ManagedFrame {
  CodeLocation code = {};
  Registers registers = {};
  Address callerStackPointer = {};  // on x64 right behind the return address
  Address callerInstruction = {};   // that it returns to
  bool isFirst = false;             // runs: the dump or a suspension stopped it, it is not inside a call
  bool isInterrupted = false;       // by an exception: it will not go on where it is
  bool isFaulted = false;           // interrupted in an instruction of its own, as by a null reference
  bool isFilter = false;            // a funclet that is an exception filter
};

/// A frame that the runtime itself put on the stack.
struct ExplicitFrame {
  Address address = {};
  ExplicitFrameKind kind = ExplicitFrameKind::InlinedCallFrame;
};

/// What GC info counts a slot from.
struct StackSlotBase {
  Register reg = {};
  bool isOfCaller = false;  // its value in the caller
  std::int32_t offset = 0;  // bytes
};

/// A place on a stack, or a register, that holds a reference.
struct StackRoot {
  Address slot = {};                 // 0 if the reference is in the processor's register alone
  std::optional<Register> reg = {};  // GC info names a register rather than a slot
  std::optional<StackSlotBase> base = {};
  Address object = {};      // what is stored: for an interior root an address inside an object, or none
  bool isInterior = false;  // may point into an object, or to no object at all
  bool isPinned = false;
};

}  // namespace heapscape::engine
