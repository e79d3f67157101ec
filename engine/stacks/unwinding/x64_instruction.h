// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// As much of an instruction of x86-64 as tells what it does to the stack, and where it goes on (Intel 64 and IA-32
/// Architectures Software Developer's Manual, volume 2). Registers by the number that instructions give them: 4 is rsp,
/// 5 rbp.
struct X64Instruction {
  enum class Kind : std::uint8_t {
    Other,        // leaves the stack pointer as it is
    Push,         // of a register, or of anything else: `reg` 16
    Pop,          // the same
    AddToStack,   // rsp += value
    StackFrom,    // rsp = reg + value
    FrameFrom,    // rbp = rsp + value
    Load,         // reg = word at rsp + value
    Leave,        // rsp = rbp, pop rbp
    Call,         // comes back with the stack as it was
    CallThrough,  // the same, the target being in memory at value from the instruction's end
    Jump,         // to value from the instruction's end
    JumpIf,
    JumpThrough,  // to what is in memory at value from the instruction's end
    Return,
    Stop,  // goes nowhere that can be told: a jump through a register, a trap, a stack pointer out of nowhere
  };
  Kind kind = Kind::Other;
  std::uint8_t reg = 16;
  std::int64_t value = 0;
  std::size_t length = 0;
};

inline constexpr std::size_t kLongestX64Instruction = 15;
inline constexpr std::uint8_t kX64StackPointer = 4;
inline constexpr std::uint8_t kX64FramePointer = 5;

/// The instruction that `code` begins with; nullopt if it is cut, or none that compilers write.
std::optional<X64Instruction> decodeX64(Bytes code);

}  // namespace heapscape::engine
