// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "memory/address_space.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// The caller's registers of a frame of managed code, by the unwind information of its function or funclet
/// (src/coreclr/unwinder/amd64/unwinder.cpp, arm64/unwinder.cpp). Scratch registers of the caller keep their values,
/// but have no place. Returns nullopt if that information is not in the dump or makes no sense. `isInCall`: the
/// instruction is a return address; on x64 only another one can stand in an epilogue.
std::optional<Registers> callerOfManaged(const AddressSpace& memory, const CodeLocation& code,
                                         const Registers& registers, bool isInCall);

/// Bytes of the function's prologue from its start on: there its frame is not complete yet. 0 if it cannot be told.
std::uint32_t prologueBytes(const AddressSpace& memory, const CodeLocation& code, Architecture architecture);

}  // namespace heapscape::engine
