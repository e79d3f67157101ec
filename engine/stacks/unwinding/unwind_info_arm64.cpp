// SPDX-License-Identifier: MIT
#include "stacks/unwinding/unwind_info_arm64.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/address.h"
#include "runtime/methods/unwind_record.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kInstructionBytes = 4;
constexpr std::uint64_t kUnsignedBits = (std::uint64_t{1} << 48) - 1;  // the others may be a signature

// Codes that are looked for by themselves; the others are ranges of the first byte.
constexpr std::uint8_t kCodeAllocateMedium = 0xc0;
constexpr std::uint8_t kCodeSaveFloatPairGrowing = 0xda;
constexpr std::uint8_t kCodeSaveFloatGrowing = 0xde;
constexpr std::uint8_t kCodeAllocateLarge = 0xe0;
constexpr std::uint8_t kCodeSetFrame = 0xe1;
constexpr std::uint8_t kCodeAddFrame = 0xe2;
constexpr std::uint8_t kCodeNop = 0xe3;
constexpr std::uint8_t kCodeEnd = 0xe4;
constexpr std::uint8_t kCodeEndOfChild = 0xe5;
constexpr std::uint8_t kCodeSaveNext = 0xe6;
constexpr std::uint8_t kCodeSaveAny = 0xe7;
constexpr std::uint8_t kCodeFirstReserved = 0xf8;
constexpr std::uint8_t kCodeLastReserved = 0xfb;
constexpr std::uint8_t kCodeSignReturnAddress = 0xfc;

std::size_t bytesOfCode(std::uint8_t first) {
  if (first < kCodeAllocateMedium) return 1;
  if (first < kCodeAllocateLarge || first == kCodeAddFrame) return 2;
  if (first == kCodeAllocateLarge) return 4;
  if (first == kCodeSaveAny) return 3;
  return first >= kCodeFirstReserved && first <= kCodeLastReserved ? 2u + (first & 3u) : 1u;
}

/// Undoes what the codes say, the last of a prologue's instructions first.
class CodeUndoing {
 public:
  CodeUndoing(const AddressSpace& memory, const Registers& registers) : m_memory(memory), m_registers(registers) {}

  /// False if a code is unknown or what it restores is not in the dump.
  bool undo(std::span<const std::uint8_t> codes) {
    while (!codes.empty() && codes.front() != kCodeEnd) {
      const std::size_t bytes = bytesOfCode(codes.front());
      if (bytes > codes.size() || !undoOne(codes)) return false;
      codes = codes.subspan(bytes);
    }
    return true;
  }

  /// Returns nullopt where the return address was neither saved nor is still in its register.
  std::optional<Registers> returned() {
    if (!m_registers.isKnown(arm64::kLr)) return std::nullopt;
    m_registers.instruction = {m_registers[arm64::kLr] & kUnsignedBits};
    m_registers.forgetScratch();
    return m_registers;
  }

 private:
  bool undoOne(std::span<const std::uint8_t> codes) {
    const unsigned first = codes.front();
    const unsigned next = codes.size() > 1 ? codes[1] : 0u;
    const unsigned reg = 19 + (((first & 3u) << 2u) + (next >> 6u));
    if (first <= 0x1f) return grow(16 * (first & 31u));
    if (first <= 0x3f) return restorePairsAndFree(19, 8 * (first & 31u));
    if (first <= 0x7f) return restoreAt(8 * (first & 63u), 29, 2);
    if (first <= 0xbf) return restorePairsAndFree(29, 8 * ((first & 63u) + 1));
    if (first <= 0xc7) return grow(16 * ((first & 7u) << 8u | next));
    if (first <= 0xcb) return restoreAt(8 * (next & 63u), reg, takePairs());
    if (first <= 0xcf) return restorePairsAndFree(reg, 8 * ((next & 63u) + 1));
    if (first <= 0xd3) return restoreAt(8 * (next & 63u), reg, 1);
    if (first <= 0xd5) return restoreAndFree(19 + (((first & 1u) << 3u) + (next >> 5u)), 1, 8 * ((next & 31u) + 1));
    if (first <= 0xd7) {
      const unsigned even = 19 + 2 * (((first & 1u) << 2u) + (next >> 6u));
      return restoreAt(8 * (next & 63u), even, 1) && restoreAt(8 * (next & 63u) + 8, 30, 1);
    }
    return undoRare(codes, first, next);
  }

  bool undoRare(std::span<const std::uint8_t> codes, unsigned first, unsigned next) {
    if (first < kCodeAllocateLarge) {  // floating-point registers hold no references
      if (first <= 0xdb) m_further = 0;
      if (first == kCodeSaveFloatPairGrowing || first == kCodeSaveFloatPairGrowing + 1)
        return grow(8 * ((next & 63u) + 1));
      if (first == kCodeSaveFloatGrowing) return grow(8 * ((next & 31u) + 1));
      return first < kCodeSaveFloatGrowing;
    }
    switch (first) {
      case kCodeAllocateLarge:
        return grow(16 * (std::uint64_t{codes[1]} << 16u | codes[2] << 8u | codes[3]));
      case kCodeSetFrame:
        m_registers.setStackPointer({m_registers.framePointer()});
        return true;
      case kCodeAddFrame:
        m_registers.setStackPointer(Address{m_registers.framePointer()} - 8 * next);
        return true;
      case kCodeNop:
      case kCodeEndOfChild:
        return true;
      case kCodeSaveNext:
        ++m_further;
        return m_further < kMostRegisters;
      case kCodeSaveAny:
        return restoreAny(codes[1] << 8u | codes[2]);
      case kCodeSignReturnAddress:
        m_registers[arm64::kLr] &= kUnsignedBits;
        return true;
      default:
        return first >= kCodeFirstReserved && first <= kCodeLastReserved;
    }
  }

  // save_any_reg: 0pxrrrrr mmoooooo: a pair, with the stack growing, register, mode (general, of 8 or 16 bytes),
  // offset.
  bool restoreAny(unsigned operand) {
    const bool isPair = (operand >> 14u & 1u) != 0;
    const bool grows = (operand >> 13u & 1u) != 0;
    const unsigned mode = operand >> 6u & 3u;
    const std::uint64_t unit = grows || isPair || mode == 2 ? 16 : 8;
    const std::uint64_t offset = ((operand & 63u) + (grows ? 1 : 0)) * unit;
    const unsigned count = (isPair ? 2 : 1) + 2 * std::exchange(m_further, 0u);
    if (mode != 0) return !grows || grow(offset);
    return grows ? restoreAndFree(operand >> 8u & 31u, count, offset) : restoreAt(offset, operand >> 8u & 31u, count);
  }

  /// A pair, and two registers more for each save_next in front of it.
  unsigned takePairs() { return 2 + 2 * std::exchange(m_further, 0u); }
  bool restorePairsAndFree(unsigned first, std::uint64_t bytes) { return restoreAndFree(first, takePairs(), bytes); }

  bool restoreAndFree(unsigned first, unsigned count, std::uint64_t bytes) {
    return restoreAt(0, first, count) && grow(bytes);
  }

  bool restoreAt(std::uint64_t offset, unsigned first, unsigned count) {
    if (first + count > arm64::kSp.number) return false;
    for (unsigned i = 0; i < count; ++i) {
      const Register reg = arm64::x(first + i);
      const Address place = m_registers.stackPointer() + offset + i * kPointerBytes;
      if (!m_memory.tryRead(place, m_registers[reg])) return false;
      m_registers.setKnown(reg, true);
      m_registers.setSavedPlace(reg, place);
    }
    return true;
  }

  bool grow(std::uint64_t bytes) {
    m_registers.setStackPointer(m_registers.stackPointer() + bytes);
    return true;
  }

  const AddressSpace& m_memory;
  Registers m_registers;
  unsigned m_further = 0;  // pairs that the next code restores behind its own
};

/// The codes of a function and of its epilogues.
class UnwindCodes {
 public:
  static std::optional<UnwindCodes> of(const AddressSpace& memory, const CodeLocation& code) {
    if (!code.function) return std::nullopt;
    UnwindCodes codes;
    const auto record = readUnwindRecord(memory, code.imageBase + code.function->unwindData);
    if (!record) return std::nullopt;
    codes.m_record = *record;
    codes.m_scopes.resize(record->hasOneEpilogue ? 0 : record->epilogues);
    codes.m_codes.resize(record->codeBytes);
    if (!memory.tryRead(record->scopes, std::as_writable_bytes(std::span(codes.m_scopes))) ||
        !memory.tryRead(record->codes, std::as_writable_bytes(std::span(codes.m_codes))))
      return std::nullopt;
    return codes;
  }

  /// Instructions from the function's start on that set up the frame.
  std::size_t prologueLength() const { return countFrom(0); }

  /// Those whose instructions have run and have not been undone, `done` instructions behind the function's start.
  std::span<const std::uint8_t> openAt(std::uint64_t done) const {
    const std::size_t prologue = prologueLength();
    if (done < prologue) return from(0, prologue - static_cast<std::size_t>(done));
    if (m_record.hasOneEpilogue) {
      const std::size_t length = countFrom(m_record.epilogues) + 1;  // with the return
      const std::uint64_t start = m_record.functionBytes / kInstructionBytes - length;
      if (length <= m_record.functionBytes / kInstructionBytes && done >= start)
        return from(m_record.epilogues, static_cast<std::size_t>(done - start));
      return from(0, 0);
    }
    // An epilogue that a place lies in is the last one to begin in front of it.
    const auto startOf = [](std::uint32_t scope) { return std::uint64_t{scope & 0x3ffffu}; };
    const auto behind = std::ranges::upper_bound(m_scopes, done, {}, startOf);
    if (behind == m_scopes.begin()) return from(0, 0);
    const std::uint32_t scope = *std::prev(behind);
    const std::size_t index = scope >> 22u;
    const std::uint64_t run = done - startOf(scope);
    return run < countFrom(index) + 1 ? from(index, static_cast<std::size_t>(run)) : from(0, 0);
  }

 private:
  /// Codes from one on to the end of its sequence.
  std::size_t countFrom(std::size_t index) const {
    std::size_t count = 0;
    for (std::size_t at = index; at < m_codes.size() && m_codes[at] != kCodeEnd && m_codes[at] != kCodeEndOfChild;
         at += bytesOfCode(m_codes[at]))
      ++count;
    return count;
  }

  std::span<const std::uint8_t> from(std::size_t index, std::size_t skipped) const {
    std::size_t at = index;
    for (; skipped > 0 && at < m_codes.size() && m_codes[at] != kCodeEnd; --skipped) at += bytesOfCode(m_codes[at]);
    return std::span(m_codes).subspan(std::min(at, m_codes.size()));
  }

  UnwindRecord m_record;
  std::vector<std::uint32_t> m_scopes;  // of epilogues, ascending: where each starts, and its first code
  std::vector<std::uint8_t> m_codes;
};

}  // namespace

std::optional<Registers> callerOfArm64(const AddressSpace& memory, const CodeLocation& code,
                                       const Registers& registers) {
  const auto codes = UnwindCodes::of(memory, code);
  if (!codes) return std::nullopt;
  const Address begin = code.imageBase + code.function->begin;
  if (registers.instruction < begin) return std::nullopt;
  CodeUndoing undoing(memory, registers);
  if (!undoing.undo(codes->openAt((registers.instruction - begin) / kInstructionBytes))) return std::nullopt;
  return undoing.returned();
}

std::uint32_t prologueBytesOfArm64(const AddressSpace& memory, const CodeLocation& code) {
  const auto codes = UnwindCodes::of(memory, code);
  return codes ? static_cast<std::uint32_t>(codes->prologueLength() * kInstructionBytes) : 0;
}

}  // namespace heapscape::engine
