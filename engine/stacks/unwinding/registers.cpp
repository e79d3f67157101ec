// SPDX-License-Identifier: MIT
#include "stacks/unwinding/registers.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

// Where user_regs_struct of x86-64 (sys/user.h) has each register.
constexpr std::array<std::size_t, kRegisterCount> kPlaceInNote{10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0};

constexpr std::uint16_t kAllKnown = 0xffff;

}  // namespace

bool isCalleeSaved(Register reg) {
  return std::find(kCalleeSavedRegisters.begin(), kCalleeSavedRegisters.end(), reg) != kCalleeSavedRegisters.end();
}

void Registers::forgetScratch() {
  for (std::size_t i = 0; i < kRegisterCount; ++i) {
    const auto reg = static_cast<Register>(i);
    if (reg == Register::Rsp || isCalleeSaved(reg)) continue;
    savedAt[i] = {};
    setKnown(reg, false);
  }
}

Registers registersOf(const CoreThread& thread) {
  Registers registers;
  for (std::size_t i = 0; i < kRegisterCount; ++i) registers.values[i] = thread.registers[kPlaceInNote[i]];
  registers.known = kAllKnown;
  registers.instruction = thread.instructionPointer();
  return registers;
}

}  // namespace heapscape::engine
