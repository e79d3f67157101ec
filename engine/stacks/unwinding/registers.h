// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/address.h"
#include "base/enum_names.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// General registers of x86-64, numbered as instructions, unwind codes and GC info number them.
enum class Register : std::uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
template <>
inline constexpr auto kEnumNames<Register> = std::to_array<EnumName<Register>>({{Register::Rax, "rax"},
                                                                                {Register::Rcx, "rcx"},
                                                                                {Register::Rdx, "rdx"},
                                                                                {Register::Rbx, "rbx"},
                                                                                {Register::Rsp, "rsp"},
                                                                                {Register::Rbp, "rbp"},
                                                                                {Register::Rsi, "rsi"},
                                                                                {Register::Rdi, "rdi"},
                                                                                {Register::R8, "r8"},
                                                                                {Register::R9, "r9"},
                                                                                {Register::R10, "r10"},
                                                                                {Register::R11, "r11"},
                                                                                {Register::R12, "r12"},
                                                                                {Register::R13, "r13"},
                                                                                {Register::R14, "r14"},
                                                                                {Register::R15, "r15"}});
inline constexpr std::size_t kRegisterCount = 16;
inline constexpr std::size_t kFloatRegisterCount = 16;  // xmm0 to xmm15

/// Whether a call leaves the register as it was (System V ABI for x86-64, section 3.2.1); rsp is none of them.
bool isCalleeSaved(Register reg);
inline constexpr std::array kCalleeSavedRegisters{Register::Rbx, Register::Rbp, Register::R12,
                                                  Register::R13, Register::R14, Register::R15};

/// The registers of a frame: what they hold, and where a caller's values were saved by the frames it called.
struct Registers {
  std::array<std::uint64_t, kRegisterCount> values{};
  std::array<Address, kRegisterCount> savedAt{};  // 0: in the processor itself, or not known any more
  std::uint16_t known = 0;                        // a bit for each: what `values` has was the frame's own
  Address instruction;

  std::uint64_t operator[](Register reg) const { return values[static_cast<std::size_t>(reg)]; }
  std::uint64_t& operator[](Register reg) { return values[static_cast<std::size_t>(reg)]; }
  Address savedPlace(Register reg) const { return savedAt[static_cast<std::size_t>(reg)]; }
  void setSavedPlace(Register reg, Address place) { savedAt[static_cast<std::size_t>(reg)] = place; }
  /// Whether the value is the one that the frame had there; what a call does not keep is not known of its caller.
  bool isKnown(Register reg) const { return (known >> static_cast<unsigned>(reg) & 1u) != 0; }
  void setKnown(Register reg, bool isKnown) {
    const auto bit = static_cast<std::uint16_t>(1u << static_cast<unsigned>(reg));
    known = static_cast<std::uint16_t>(isKnown ? known | bit : known & ~bit);
  }

  Address stackPointer() const { return {(*this)[Register::Rsp]}; }
  void setStackPointer(Address address) {
    (*this)[Register::Rsp] = address.value;
    setKnown(Register::Rsp, true);
  }
  /// What registers other than callee-saved ones held is lost with a call: nobody knows where they were saved.
  void forgetScratch();
};

/// As the dump has them of a thread.
Registers registersOf(const CoreThread& thread);

}  // namespace heapscape::engine
