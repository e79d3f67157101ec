// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// What follows an opcode (ECMA-335 III, VI.C.2).
enum class IlOperand : std::uint8_t { None, Variable, Integer, Real, Token, Branch, Switch };

/// One instruction of a method's IL. Offsets are bytes from the start of the code.
struct IlInstruction {
  std::uint32_t offset = 0;
  std::uint32_t end = 0;  // behind its operand
  std::string_view name;  // "ldarg.0", as ECMA-335 has it; empty for a number that is no opcode
  IlOperand operand = IlOperand::None;
  std::int64_t number = 0;                 // the operand; of a branch the offset that it leads to
  double real = 0;                         // of Real
  std::vector<std::int64_t> targets = {};  // of Switch: the offsets that it leads to
};

/// The instruction that begins at an offset; nullopt behind the last one, and for one that is cut.
std::optional<IlInstruction> readIlInstruction(Bytes code, std::uint32_t offset);

}  // namespace heapscape::engine
