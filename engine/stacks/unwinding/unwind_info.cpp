// SPDX-License-Identifier: MIT
#include "stacks/unwinding/unwind_info.h"

#include <array>
#include <cstring>

#include "base/address.h"
#include "stacks/unwinding/unwind_info_arm64.h"

namespace heapscape::engine {
namespace {

// An epilogue frees its locals in one instruction, pops at most eight registers and leaves.
constexpr std::size_t kLongestEpilogue = 64;

/// Reads instructions; what lies behind the bytes that are known is zero, which begins none of them.
class Code {
 public:
  Code(const AddressSpace& memory, Address start) : m_start(start) {
    const Bytes piece = memory.prefix(start, kLongestEpilogue);
    if (!piece.empty()) std::memcpy(m_bytes.data(), piece.data(), piece.size());
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

Register numbered(unsigned number) {
  return {static_cast<std::uint8_t>(number), Architecture::X64};
}

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
    const Register base = numbered((code[2] & 7u) | (code[0] & 1u) << 3);
    const unsigned mode = code[2] >> 6;
    if (frameRegister == x64::kRax || base != frameRegister || (mode != 1 && mode != 2)) return false;
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
    const Register reg = numbered(opcode - 0x58u + (isHigh ? 8 : 0));
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

/// The caller's registers of a function that was stopped in its epilogue, by carrying out what is left of it: unwind
/// codes describe prologues only. Nothing if the instruction is in none. `function`: its code, which a jump at the
/// end of an epilogue leaves. `frameRegister`: of its unwind information; rax for none.
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

constexpr std::uint64_t kHeadBytes = 4;
constexpr std::uint64_t kCodeBytes = 2;
constexpr unsigned kVersion = 1;
constexpr unsigned kChainedFlag = 4;
constexpr std::size_t kMostCodes = 255;
constexpr int kMostChained = 32;
constexpr std::uint64_t kFrameOffsetUnit = 16;

// UNWIND_CODE operations (src/coreclr/pal/inc/pal.h, UNWIND_OP_CODES).
enum UnwindOperation : unsigned {
  kPushRegister = 0,
  kAllocateLarge = 1,
  kAllocateSmall = 2,
  kSetFrameRegister = 3,
  kSaveRegister = 4,
  kSaveRegisterFar = 5,
  kSaveXmm = 8,
  kSaveXmmFar = 9,
  kSetFrameRegisterLarge = 11,
};

/// One UNWIND_INFO with its codes.
struct UnwindInfo {
  unsigned version = 0;
  unsigned flags = 0;
  Register frameRegister = x64::kRax;
  std::uint64_t frameOffset = 0;
  std::size_t count = 0;
  std::array<std::uint16_t, kMostCodes> codes{};
  Address end;  // behind the codes, which are padded to an even number
};

std::optional<UnwindInfo> readUnwindInfo(const AddressSpace& memory, Address address) {
  std::array<std::uint8_t, kHeadBytes> head{};
  if (!memory.tryRead(address, head)) return std::nullopt;
  UnwindInfo info;
  info.version = head[0] & 7u;
  info.flags = head[0] >> 3u;
  info.count = head[2];
  info.frameRegister = numbered(head[3] & 15u);
  info.frameOffset = (head[3] >> 4u) * kFrameOffsetUnit;
  info.end = address + (kHeadBytes + kCodeBytes * ((info.count + 1) / 2 * 2));
  const std::span codes(info.codes.data(), info.count);
  if (info.version != kVersion || !memory.tryRead(address + kHeadBytes, std::as_writable_bytes(codes)))
    return std::nullopt;
  return info;
}

/// Takes the effects of a prologue back, code by code.
class Unwinding {
 public:
  Unwinding(const AddressSpace& memory, const Registers& registers) : m_memory(memory), m_registers(registers) {}

  /// Of the codes only those whose instructions have run; `done`: bytes of the prologue that have.
  bool apply(const UnwindInfo& info, std::uint64_t done) {
    for (std::size_t i = 0; i < info.count;) {
      const unsigned word = info.codes[i];
      const unsigned operation = word >> 8u & 15u;
      const std::size_t slots = slotsOf(operation, word >> 12u);
      if (slots == 0 || i + slots > info.count) return false;
      if ((word & 255u) <= done && !applyCode(info, i, operation, word >> 12u)) return false;
      i += slots;
    }
    return true;
  }

  std::optional<Registers> returned() {
    Address target;
    const Address stack = m_registers.stackPointer();
    if (!m_memory.tryRead(stack, target)) return std::nullopt;
    m_registers.instruction = target;
    m_registers.setStackPointer(stack + kPointerBytes);
    m_registers.forgetScratch();
    return m_registers;
  }

 private:
  static std::size_t slotsOf(unsigned operation, unsigned info) {
    switch (operation) {
      case kPushRegister:
      case kAllocateSmall:
      case kSetFrameRegister:
        return 1;
      case kAllocateLarge:
        return info == 0 ? 2 : 3;
      case kSaveRegister:
      case kSaveXmm:
        return 2;
      case kSaveRegisterFar:
      case kSaveXmmFar:
      case kSetFrameRegisterLarge:
        return 3;
      default:
        return 0;
    }
  }

  bool restore(Register reg, Address place) {
    std::uint64_t value = 0;
    if (!m_memory.tryRead(place, value)) return false;
    m_registers[reg] = value;
    m_registers.setKnown(reg, true);
    if (reg != x64::kRsp) m_registers.setSavedPlace(reg, place);
    return true;
  }

  bool applyCode(const UnwindInfo& info, std::size_t at, unsigned operation, unsigned operand) {
    const auto near = [&] { return std::uint64_t{info.codes[at + 1]}; };
    const auto far = [&] { return near() | std::uint64_t{info.codes[at + 2]} << 16u; };
    const Address stack = m_registers.stackPointer();
    const std::uint64_t frame = m_registers[info.frameRegister];
    const auto reg = numbered(operand);
    switch (operation) {
      case kPushRegister:
        if (!restore(reg, stack)) return false;
        m_registers.setStackPointer(stack + kPointerBytes);
        return true;
      case kAllocateLarge:
        m_registers.setStackPointer(stack + (operand == 0 ? near() * kPointerBytes : far()));
        return true;
      case kAllocateSmall:
        m_registers.setStackPointer(stack + (operand + 1) * kPointerBytes);
        return true;
      case kSetFrameRegister:
        m_registers.setStackPointer({frame - info.frameOffset});
        return true;
      case kSetFrameRegisterLarge:  // on Unix only
        m_registers.setStackPointer({frame - far() * kFrameOffsetUnit});
        return true;
      case kSaveRegister:
        return restore(reg, stack + near() * kPointerBytes);
      case kSaveRegisterFar:
        return restore(reg, stack + far());
      default:
        return true;  // xmm registers hold no references
    }
  }

  const AddressSpace& m_memory;
  Registers m_registers;
};

}  // namespace

std::optional<Registers> callerOfManaged(const AddressSpace& memory, const CodeLocation& code,
                                         const Registers& registers, bool isInCall) {
  if (registers.architecture == Architecture::Arm64) return callerOfArm64(memory, code, registers);
  if (!code.function) return std::nullopt;
  const Address begin = code.imageBase + code.function->begin;
  auto info = readUnwindInfo(memory, code.imageBase + code.function->unwindData);
  if (!info || registers.instruction < begin) return std::nullopt;
  if (!isInCall) {
    const AddressRange function{begin, code.imageBase + code.function->end};
    if (auto caller = callerFromEpilogue(memory, function, info->frameRegister, registers)) return caller;
  }
  Unwinding unwinding(memory, registers);
  if (!unwinding.apply(*info, registers.instruction - begin)) return std::nullopt;
  for (int chained = 0; info->flags & kChainedFlag; ++chained) {
    RuntimeFunction parent;
    if (chained == kMostChained || !memory.tryRead(info->end, parent)) return std::nullopt;
    info = readUnwindInfo(memory, code.imageBase + parent.unwindData);
    // All of the function that this one is a part of has run.
    if (!info || !unwinding.apply(*info, kMostCodes)) return std::nullopt;
  }
  return unwinding.returned();
}

std::uint32_t prologueBytes(const AddressSpace& memory, const CodeLocation& code, Architecture architecture) {
  if (!code.function) return 0;
  if (architecture == Architecture::Arm64) return prologueBytesOfArm64(memory, code);
  constexpr std::uint64_t kPrologueBytesAt = 1;
  std::uint8_t bytes = 0;
  memory.tryRead(code.imageBase + code.function->unwindData + kPrologueBytesAt, bytes);
  return bytes;
}

}  // namespace heapscape::engine
