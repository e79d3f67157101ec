// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/frames/explicit_frame_kind.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_frame.h"
#include "stacks/unwinding/native_unwinder.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// Frames of functions of the runtime that managed code calls without a transition (FCalls, .NET 8 and 9): they keep
/// the machine's state where they were entered (HelperMethodFrame, src/coreclr/vm/frames.h).
bool isHelperMethodFrame(ExplicitFrameKind kind);

/// The registers of the managed caller; false if the dump does not tell them. Where the runtime has not walked over the
/// frame itself, native code is unwound from where the state was captured (src/coreclr/vm/amd64/gmsamd64.cpp,
/// arm64/stubs.cpp).
bool readHelperMethodFrame(const ClrRuntime& runtime, const CodeLookup& code, const NativeUnwinder& native,
                           Address frame, Registers& registers);

/// Whether the helper is about to throw, so that its caller will not go on.
bool throwsException(const ClrRuntime& runtime, Address frame);

/// The references that the frame itself protects.
FrameRoots rootsOfHelperMethodFrame(const ClrRuntime& runtime, Address frame, ExplicitFrameKind kind);

/// The method of the runtime that was called; 0 for a helper of the JIT or if it cannot be told.
Address methodOfHelperMethodFrame(const ClrRuntime& runtime, Address frame);

/// Where a FaultingExceptionFrame keeps the registers of the code that failed.
AddressRange registersOfFault(const ClrRuntime& runtime, Address frame);

/// What an explicit frame says of the managed code that it left or interrupted.
struct FrameEffect {
  bool isFirst = false;        // the managed frame behind it runs as if nothing had been called
  bool isInterrupted = false;  // by an exception
  bool isFaulted = false;      // in an instruction of its own
};

/// Reads the frames that the runtime puts on stacks (src/coreclr/vm/frames.h). Safe from any thread.
class ExplicitFrames {
 public:
  ExplicitFrames(const ClrRuntime& runtime, const CodeLookup& code, const NativeUnwinder& native);

  /// Returns nullopt if the kind is not known or the frame is not in the dump.
  std::optional<ExplicitFrame> read(Address address) const;
  /// The frame that was there before; nullopt where the chain does not lead up the stack. `own`: that of the thread, to
  /// which a chain leads that begins on another.
  std::optional<Address> next(const ExplicitFrame& frame, AddressRange own) const;
  /// Whether the chain ends here.
  static bool isEnd(Address frame) { return !frame || frame.value == ~std::uint64_t{0}; }

  /// Where managed code goes on when the frame is left; 0 for frames that mark something only.
  Address returnAddress(const ExplicitFrame& frame) const;
  /// The registers with which it goes on; nullopt if the dump lacks them. `registers`: of the frame further in.
  std::optional<Registers> callerOf(const ExplicitFrame& frame, const Registers& registers) const;
  FrameEffect effectOf(const ExplicitFrame& frame) const;
  /// Whether the thread is in a native function called through the frame.
  bool isActiveCall(const ExplicitFrame& frame) const;

 private:
  Address pointer(const ExplicitFrame& frame, std::string_view type, std::string_view field) const;
  Address transitionBlock(const ExplicitFrame& frame) const;
  bool readCalleeSaved(Address area, Registers& registers) const;
  bool readContext(Address context, Registers& registers) const;
  bool readPreservedOfContext(Address context, Registers& registers) const;
  bool readHijacked(const ExplicitFrame& frame, Registers& registers) const;
  bool readInlinedCall(const ExplicitFrame& frame, Registers& registers) const;
  bool readTransition(const ExplicitFrame& frame, Registers& registers) const;

  const ClrRuntime& m_runtime;
  const CodeLookup& m_code;
  const NativeUnwinder& m_native;
  ExplicitFrameKinds m_kinds;
};

}  // namespace heapscape::engine
