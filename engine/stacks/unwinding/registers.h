// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "base/address.h"
#include "base/architecture.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// A general register by the number that instructions, unwind codes and GC info of its processor give it: rax 0 to r15
/// of x64, x0 to x30 and the stack pointer 31 of arm64.
struct Register {
  std::uint8_t number = 0;
  Architecture architecture = Architecture::X64;

  constexpr auto operator<=>(const Register&) const = default;
};

namespace x64 {
inline constexpr Register kRax{0}, kRcx{1}, kRdx{2}, kRbx{3}, kRsp{4}, kRbp{5}, kRsi{6}, kRdi{7}, kR8{8}, kR9{9},
    kR10{10}, kR11{11}, kR12{12}, kR13{13}, kR14{14}, kR15{15};
}  // namespace x64
namespace arm64 {
constexpr Register x(unsigned number) {
  return {static_cast<std::uint8_t>(number), Architecture::Arm64};
}
inline constexpr Register kFp = x(29), kLr = x(30), kSp = x(31);
}  // namespace arm64

inline constexpr std::size_t kMostRegisters = 32;

/// The general registers of a processor.
struct RegisterFile {
  std::span<const char* const> names;          // by number: "rax", "x0"
  std::span<const char* const> contractNames;  // what they are called in structures of the runtime: "Rax", "X0"
  std::span<const Register> byDwarfNumber;     // System V ABI for x86-64, figure 3.36; DWARF for the Arm 64-bit
                                               // Architecture, section 4.1
  std::size_t dwarfReturnAddress = 0;          // the number of its column
  const char* contractInstruction = "";        // the same of the address of the instruction: "Rip", "Pc"
  std::span<const Register> calleeSaved;
  std::span<const Register> results;  // that a small value is returned in, in their order
  Register stackPointer;
  Register framePointer;
  std::size_t floatCount = 0;
  const char* floatPrefix = "";  // "xmm", "v"
  const char* instruction = "";  // what the address of the instruction is called: "rip", "pc"
  /// The order in which SOS shows them, the instruction's address in front of the one at that place.
  std::span<const Register> shown;
  std::size_t instructionShownAt = 0;
  /// What else the dump has of a thread, and where among its registers.
  std::span<const std::pair<const char*, std::size_t>> others;

  std::size_t count() const { return names.size(); }
};
const RegisterFile& registerFile(Architecture architecture);

/// "rax", "x0", "fp"; "?" if the processor has no such register.
const char* toString(Register reg);

/// Whether a call leaves the register as it was (System V ABI for x86-64, section 3.2.1; Procedure Call Standard for
/// the Arm 64-bit Architecture, section 6.1.1); the stack pointer is none of them.
constexpr bool isCalleeSaved(Register reg) {
  constexpr std::uint32_t kOfX64 = 0xf028;
  constexpr std::uint32_t kOfArm64 = 0x3ff8'0000;
  const std::uint32_t saved = reg.architecture == Architecture::X64 ? kOfX64 : kOfArm64;
  return reg.number < kMostRegisters && (saved >> reg.number & 1u) != 0;
}

/// The registers of a frame: what they hold, and where a caller's values were saved by the frames it called.
struct Registers {
  std::array<std::uint64_t, kMostRegisters> values{};
  std::array<Address, kMostRegisters> savedAt{};  // 0: in the processor itself, or not known any more
  std::uint32_t known = 0;                        // a bit for each: what `values` has was the frame's own
  Architecture architecture = Architecture::X64;
  Address instruction;

  std::uint64_t operator[](Register reg) const { return values[reg.number % kMostRegisters]; }
  std::uint64_t& operator[](Register reg) { return values[reg.number % kMostRegisters]; }
  Address savedPlace(Register reg) const { return savedAt[reg.number % kMostRegisters]; }
  void setSavedPlace(Register reg, Address place) { savedAt[reg.number % kMostRegisters] = place; }
  /// Whether the value is the one that the frame had there; what a call does not keep is not known of its caller.
  bool isKnown(Register reg) const { return (known >> reg.number % kMostRegisters & 1u) != 0; }
  void setKnown(Register reg, bool isKnown) {
    const std::uint32_t bit = 1u << reg.number % kMostRegisters;
    known = isKnown ? known | bit : known & ~bit;
  }

  Address stackPointer() const { return {(*this)[stackRegister()]}; }
  void setStackPointer(Address address) {
    (*this)[stackRegister()] = address.value;
    setKnown(stackRegister(), true);
  }
  std::uint64_t framePointer() const { return (*this)[architecture == Architecture::X64 ? x64::kRbp : arm64::kFp]; }
  /// What registers other than callee-saved ones held is lost with a call: nobody knows where they were saved.
  void forgetScratch();
  /// Code that is not described may have put them away: their values are no longer certain to be the frame's own.
  void forgetCalleeSaved(bool andFramePointer);

 private:
  Register stackRegister() const { return architecture == Architecture::X64 ? x64::kRsp : arm64::kSp; }
};

/// As the dump has them of a thread.
Registers registersOf(const CoreThread& thread);

}  // namespace heapscape::engine
