// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "memory/address_space.h"

namespace heapscape::engine {

/// Computes an expression as call frame information has them (DWARF 5, section 2.5), on the values of registers by
/// DWARF's numbers. `initial` lies on the stack at the start. Nothing for operations that unwinding does not need,
/// jumps among them, and where memory is missing.
std::optional<std::uint64_t> evaluateExpression(const AddressSpace& memory, Bytes expression,
                                                std::span<const std::uint64_t> registers,
                                                std::optional<std::uint64_t> initial);

}  // namespace heapscape::engine
