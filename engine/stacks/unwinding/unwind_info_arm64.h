// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// callerOfManaged for arm64 (src/coreclr/unwinder/arm64/unwinder.cpp; "ARM64 exception handling", .xdata records, in
/// Microsoft's documentation). What an epilogue has undone its own codes tell, so no instructions are read.
std::optional<Registers> callerOfArm64(const AddressSpace& memory, const CodeLocation& code,
                                       const Registers& registers);

/// prologueBytes for arm64.
std::uint32_t prologueBytesOfArm64(const AddressSpace& memory, const CodeLocation& code);

}  // namespace heapscape::engine
