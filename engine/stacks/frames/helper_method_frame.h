// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/frames/explicit_frame_kind.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/unwinding/native_unwinder.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// Frames of functions of the runtime that managed code calls without a transition (FCalls, .NET 8 and 9): they keep
/// the machine's state where they were entered (HelperMethodFrame, src/coreclr/vm/frames.h).
bool isHelperMethodFrame(ExplicitFrameKind kind);

/// The registers of the managed caller; false if the dump does not tell them. Where the runtime has not walked over the
/// frame itself, native code is unwound from where the state was captured (src/coreclr/vm/amd64/gmsamd64.cpp).
bool readHelperMethodFrame(const ClrRuntime& runtime, const CodeLookup& code, const NativeUnwinder& native,
                           Address frame, Registers& registers);

/// Whether the helper is about to throw, so that its caller will not go on.
bool throwsException(const ClrRuntime& runtime, Address frame);

/// The references that the frame itself protects.
FrameRoots rootsOfHelperMethodFrame(const ClrRuntime& runtime, Address frame, ExplicitFrameKind kind);

/// The method of the runtime that was called; 0 for a helper of the JIT or if it cannot be told.
Address methodOfHelperMethodFrame(const ClrRuntime& runtime, Address frame);

}  // namespace heapscape::engine
