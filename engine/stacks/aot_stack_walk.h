// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "runtime/runtime_readers.h"
#include "stacks/stack_walk.h"
#include "stacks/unwinding/native_unwinder.h"

namespace heapscape::engine {

/// Walks the stack of a thread of a program that was compiled ahead of time. Its runtime puts no frames on the stack:
/// managed and native code are unwound alike, and all managed frames among them are entries of the walk. `own`: the
/// thread's own stack; empty where it is not known. `mostFrames`: that the walk may have.
StackWalk walkCompiledStack(const RuntimeReaders& readers, const NativeUnwinder& native, const RuntimeThread& thread,
                            const Registers& registers, AddressRange own, std::size_t mostFrames);

}  // namespace heapscape::engine
