// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// An exception as the runtime keeps it. What says "traced" is filled in by session/stacks/exception_traces.
struct ExceptionDetails {
  Address object = {};
  std::string type = {};  // traced
  std::string message;
  std::int32_t hresult = 0;
  Address inner;
  std::string innerType;
  std::vector<Address> innerExceptions;  // of an AggregateException
  struct Frame {
    /// Address that threw or faulted, or within the call that the frame is in, not behind it. As the runtime notes it:
    /// .NET 8 says of an instruction that faulted the byte in front of it.
    Address instruction;
    std::string method;        // empty if it cannot be named; traced as stacks name it, else as metadata does
    std::uint32_t offset = 0;  // of the instruction in the method's code
    Address stackPointer = {};
    Address methodDesc = {};
    bool isAsync = false;          // traced: of an async method, under its own name
    bool isLastOfEarlier = false;  // here an earlier trace ends: it was thrown anew from the frame behind this one
    std::optional<std::uint32_t> ilOffset = {};  // traced
    std::string file = {};                       // traced: of the source, as the PDB has it; empty if not known
    std::uint32_t line = 0;                      // traced
  };
  std::uint32_t frameCount = 0;               // all, where not all were asked for, or more than Limits::stackFrames
  std::vector<Frame> stack;                   // the innermost first
  std::string remoteStackText;                // as text, in front of it: what was carried over from an earlier throw
  std::vector<ExceptionDetails> causes = {};  // traced: what `innerExceptions`, or else `inner`, refers to, in order
  std::string damage;

  /// Number of outermost frames of a stack asked for whole that are more than are read.
  std::uint64_t framesLeftOut() const { return frameCount - std::min<std::uint64_t>(frameCount, stack.size()); }
};

/// The part of its stack that an exception is read with.
enum class ExceptionStack : std::uint8_t {
  All,
  InnermostUnnamed,  // quick: one frame, whose method has an address and no name
};

/// The exception at an address; nothing if the object is none.
std::optional<ExceptionDetails> readException(const ValueReader& reader, const MethodTable& type, Address object,
                                              ExceptionStack stack = ExceptionStack::All);
/// Whether instances of a type are exceptions.
bool isExceptionType(const ValueReader& reader, const MethodTable& type);

}  // namespace heapscape::engine
