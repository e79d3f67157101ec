// SPDX-License-Identifier: MIT
#include "stacks/unwinding/epilogue.h"

#include <cstring>

#include "base/address.h"

namespace heapscape::engine {
namespace {

// An epilogue frees its locals in one instruction, pops at most eight registers and leaves.
constexpr std::size_t kLongestEpilogue = 64;

/// Reads instructions; what lies behind the bytes that are known is zero, which begins none of them.
class Code {
 public:
  Code(const AddressSpace& memory, Address start) : m_start(start) {
    const Bytes piece = memory.prefix(start, kLongestEpilogue);
    std::memcpy(m_bytes.data(), piece.data(), piece.size());
  }
  std::uint8_t operator[](std::size_t ahead) const {
    return m_at + ahead < m_bytes.size() ? m_bytes[m_at + ahead] : std::uint8_t{0};
  }
  template <class T>
  T number(std::size_t ahead) const {
    T value{};
    if (m_at + ahead + sizeof(T) <= m_bytes.size()) std::memcpy(&value, &m_bytes[m_at + ahead], sizeof(T));
    return value;
  }
  void skip(std::size_t bytes) { m_at += bytes; }
  bool isAtEnd() const { return m_at + 8 > m_bytes.size(); }
  Address position() const { return m_start + m_at; }

 private:
  Address m_start;
  std::array<std::uint8_t, kLongestEpilogue> m_bytes{};
  std::size_t m_at = 0;
};

Address plus(std::uint64_t base, std::int64_t offset) {
  return {base + static_cast<std::uint64_t>(offset)};
}

/// "add rsp, n" or "lea rsp, [frame register + n]"; false for a lea that no epilogue has.
bool freeLocals(Code& code, Register frameRegister, Registers& registers) {
  const std::uint64_t stack = registers.stackPointer().value;
  if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xc4) {
    registers.setStackPointer(plus(stack, code.number<std::int8_t>(3)));
    code.skip(4);
  } else if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xc4) {
    registers.setStackPointer(plus(stack, code.number<std::int32_t>(3)));
    code.skip(7);
  } else if ((code[0] & 0xfe) == 0x48 && code[1] == 0x8d && (code[2] & 0x38) == 0x20) {
    const auto base = static_cast<Register>((code[2] & 7) | (code[0] & 1) << 3);
    const unsigned mode = code[2] >> 6;
    if (frameRegister == Register::Rax || base != frameRegister || (mode != 1 && mode != 2)) return false;
    const bool isNear = mode == 1;
    registers.setStackPointer(
        plus(registers[base], isNear ? code.number<std::int8_t>(3) : code.number<std::int32_t>(3)));
    code.skip(isNear ? 4 : 7);
  }
  return true;
}

bool popRegisters(Code& code, const AddressSpace& memory, Registers& registers) {
  while (!code.isAtEnd()) {
    const bool isHigh = code[0] == 0x41;
    const std::uint8_t opcode = code[isHigh ? 1 : 0];
    if (opcode < 0x58 || opcode > 0x5f || (opcode == 0x5c && !isHigh)) return true;
    const auto reg = static_cast<Register>(opcode - 0x58 + (isHigh ? 8 : 0));
    const Address place = registers.stackPointer();
    if (!memory.tryRead(place, registers[reg])) return false;
    registers.setKnown(reg, true);
    registers.setSavedPlace(reg, place);
    registers.setStackPointer(place + kPointerBytes);
    code.skip(isHigh ? 2 : 1);
  }
  return false;
}

/// A return, or a jump out of the function, as tail calls end with.
bool leaves(const Code& code, AddressRange function) {
  if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3)) return true;
  if (code[0] == 0xeb) return !function.contains(plus(code.position().value, 2 + code.number<std::int8_t>(1)));
  if (code[0] == 0xe9) return !function.contains(plus(code.position().value, 5 + code.number<std::int32_t>(1)));
  const bool hasPrefix = code[0] == 0x48;
  if (code[hasPrefix ? 1 : 0] != 0xff) return false;
  const std::uint8_t operand = code[hasPrefix ? 2 : 1];
  return (operand & 0x38) == 0x20 && (hasPrefix || operand == 0x25);
}

}  // namespace

std::optional<Registers> callerFromEpilogue(const AddressSpace& memory, AddressRange function, Register frameRegister,
                                            const Registers& registers) {
  Code code(memory, registers.instruction);
  Registers caller = registers;
  if (!freeLocals(code, frameRegister, caller) || !popRegisters(code, memory, caller) || !leaves(code, function))
    return std::nullopt;
  const Address stack = caller.stackPointer();
  if (!memory.tryRead(stack, caller.instruction)) return std::nullopt;
  caller.setStackPointer(stack + kPointerBytes);
  caller.forgetScratch();
  return caller;
}

}  // namespace heapscape::engine
