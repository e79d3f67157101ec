// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "stacks/unwinding/eh_frame.h"

namespace heapscape::engine {

/// DWARF numbers the general registers otherwise than instructions do, and the return address after them (System V ABI
/// for x86-64, figure 3.36).
inline constexpr std::size_t kDwarfRegisterCount = 17;
inline constexpr std::size_t kDwarfStackPointer = 7;
inline constexpr std::size_t kDwarfReturnAddress = 16;

/// How a register of the caller is found.
struct RegisterRule {
  enum class Kind : std::uint8_t {
    Same,        // as in the frame itself
    Undefined,   // lost; of the return address: there is no caller
    SavedAt,     // at an offset from the frame's address
    IsOffset,    // is the frame's address and an offset
    InRegister,  // in another register
    SavedAtExpression,
    IsExpression,
  };
  Kind kind = Kind::Same;
  std::uint64_t reg = 0;
  std::int64_t offset = 0;
  Bytes expression;
};

/// The rules that hold at one instruction. The canonical frame address is the stack pointer before the call.
struct UnwindRow {
  RegisterRule frameAddress{RegisterRule::Kind::Undefined, 0, 0, {}};  // InRegister with an offset, or IsExpression
  std::array<RegisterRule, kDwarfRegisterCount> registers;
};

/// Runs a function's instructions up to an address in its code; nothing if they make no sense.
std::optional<UnwindRow> unwindRowAt(const FrameDescription& description, Address address);

}  // namespace heapscape::engine
