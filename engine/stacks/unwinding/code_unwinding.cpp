// SPDX-License-Identifier: MIT
#include "stacks/unwinding/code_unwinding.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <unordered_set>
#include <vector>

#include "base/address.h"
#include "stacks/unwinding/x64_instruction.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kX64RegisterCount = 16;
constexpr std::size_t kMostInstructions = 4000;  // that are followed from one place
constexpr std::int64_t kMostFrameBytes = 8192;   // of a function that has no unwind information
constexpr std::size_t kMostEnds = 8;

// DWARF's number of each register (System V ABI for x86-64, figure 3.36), by the number that instructions give it.
constexpr std::array<std::size_t, kX64RegisterCount> kDwarfNumber{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

/// Whether a call leaves the register as it was: rbx, rbp, r12 to r15.
constexpr bool isKept(std::uint8_t reg) {
  return reg == 3 || reg == kX64FramePointer || (reg >= 12 && reg < kX64RegisterCount);
}

/// A place in the code, with what has happened to the stack on the way to it.
struct Way {
  Address at;
  std::uint8_t base = kX64StackPointer;  // the register, as it was at the start, that offsets are from
  std::int64_t stack = 0;                // where the stack pointer is
  std::optional<std::int64_t> frame{};   // where the code has set rbp to; until then it has what it had at the start
  std::array<std::optional<std::int64_t>, kX64RegisterCount> saved{};  // where registers of the caller lie
};

Address targetOf(const AddressSpace& memory, const X64Instruction& instruction, Address next) {
  using Kind = X64Instruction::Kind;
  const Address place = next + static_cast<std::uint64_t>(instruction.value);
  if (instruction.kind != Kind::JumpThrough && instruction.kind != Kind::CallThrough) return place;
  Address target;
  return memory.tryRead(place, target) ? target : Address{};
}

/// Follows code from one place on, every way once.
class CodeWalk {
 public:
  CodeWalk(const AddressSpace& memory, Address start) : m_memory(memory) { follow({.at = start}); }

  /// The next place, before its instruction has run; nullopt where all is followed, or too much.
  /// `onlyPushes`: registers are the caller's until they are pushed, rather than from when they are popped.
  std::optional<Way> next(bool onlyPushes) {
    if (m_ways.empty() || m_steps++ == kMostInstructions) return std::nullopt;
    const Way way = m_ways.front();
    m_ways.pop_front();
    m_instruction = decodeX64(m_memory.prefix(way.at, kLongestX64Instruction));
    if (m_instruction) step(way, onlyPushes);
    return way;
  }
  /// What stands at the place that next() returned last.
  bool isAtReturn() const { return m_instruction && m_instruction->kind == X64Instruction::Kind::Return; }

 private:
  void follow(Way way) {
    const bool isDeep = way.stack < -kMostFrameBytes || way.stack > kMostFrameBytes;
    if (way.at && !isDeep && m_seen.insert(way.at.value).second) m_ways.push_back(way);
  }

  void step(Way way, bool onlyPushes) {
    using Kind = X64Instruction::Kind;
    const X64Instruction& instruction = *m_instruction;
    way.at = way.at + instruction.length;
    const auto keep = [&](std::uint8_t reg, std::int64_t place) {
      if (isKept(reg) && (!onlyPushes || !way.saved[reg])) way.saved[reg] = place;
    };
    switch (instruction.kind) {
      case Kind::Push:
        way.stack -= kPointerBytes;
        if (onlyPushes) keep(instruction.reg, way.stack);
        break;
      case Kind::Pop:
        if (!onlyPushes) keep(instruction.reg, way.stack);
        way.stack += kPointerBytes;
        break;
      case Kind::Load:
        if (!onlyPushes) keep(instruction.reg, way.stack + instruction.value);
        break;
      case Kind::AddToStack:
        way.stack += instruction.value;
        break;
      case Kind::FrameFrom:
        way.frame = way.stack + instruction.value;
        break;
      case Kind::StackFrom:
      case Kind::Leave:
        if (!moveStack(way, instruction, onlyPushes)) return;
        break;
      case Kind::JumpIf:
      case Kind::Jump:
      case Kind::JumpThrough: {
        Way other = way;
        other.at = targetOf(m_memory, instruction, way.at);
        follow(other);
        if (instruction.kind != Kind::JumpIf) return;
        break;
      }
      case Kind::Return:
      case Kind::Stop:
        return;
      default:
        break;
    }
    // What lay below the stack pointer has been popped: the register is the caller's again.
    if (onlyPushes)
      for (auto& place : way.saved)
        if (place && *place < way.stack) place.reset();
    follow(way);
  }

  /// A stack pointer that is made from a frame pointer; false where nobody knows what that is.
  static bool moveStack(Way& way, const X64Instruction& instruction, bool onlyPushes) {
    const bool isLeave = instruction.kind == X64Instruction::Kind::Leave;
    if (!isLeave && instruction.reg == kX64StackPointer) {
      way.stack += instruction.value;
      return true;
    }
    if (!isLeave && instruction.reg != kX64FramePointer) return false;
    if (way.frame) {
      way.stack = *way.frame + (isLeave ? std::int64_t{kPointerBytes} : instruction.value);
      if (isLeave && !onlyPushes) way.saved[kX64FramePointer] = *way.frame;
      if (isLeave) way.frame.reset();
      return true;
    }
    if (onlyPushes || way.saved[kX64FramePointer]) return false;
    way.base = kX64FramePointer;
    way.saved = {};
    way.stack = isLeave ? kPointerBytes : instruction.value;
    if (isLeave) way.saved[kX64FramePointer] = 0;
    return true;
  }

  const AddressSpace& m_memory;
  std::deque<Way> m_ways;
  std::unordered_set<std::uint64_t> m_seen;
  std::optional<X64Instruction> m_instruction;
  std::size_t m_steps = 0;
};

/// `returnAddress`: where it lies, from the value of the way's base.
UnwindRow rowOf(const Way& way, std::int64_t returnAddress) {
  const std::int64_t frame = returnAddress + static_cast<std::int64_t>(kPointerBytes);
  UnwindRow row;
  row.frameAddress = {RegisterRule::Kind::InRegister, kDwarfNumber[way.base], frame, {}};
  row.registers[kDwarfX64ReturnAddress] = {RegisterRule::Kind::SavedAt, 0, returnAddress - frame, {}};
  // What lies below the stack pointer is still to be pushed: the register has the caller's value yet.
  const auto isPushed = [&](std::int64_t place) { return way.base != kX64StackPointer || place >= 0; };
  for (std::size_t reg = 0; reg < kX64RegisterCount; ++reg)
    if (way.saved[reg] && isPushed(*way.saved[reg]))
      row.registers[kDwarfNumber[reg]] = {RegisterRule::Kind::SavedAt, 0, *way.saved[reg] - frame, {}};
  return row;
}

/// Where a call in front of a return address goes, by way of the caller's table of jumps; 0 if that cannot be told.
/// Such calls are five bytes, or six through memory.
Address calledBefore(const AddressSpace& memory, Address returnAddress) {
  using Kind = X64Instruction::Kind;
  constexpr std::byte kDirectCall{0xe8};  // others of five bytes go through memory
  for (const std::size_t length : {5u, 6u}) {
    const Bytes code = memory.prefix(returnAddress - length, length);
    const auto call = decodeX64(code);
    if (!call || call->length != length) continue;
    if (call->kind == Kind::CallThrough) return targetOf(memory, *call, returnAddress);
    if (call->kind != Kind::Call || code.front() != kDirectCall) continue;
    const Address entry = targetOf(memory, *call, returnAddress);
    Address at = entry;
    for (int i = 0; i < 2; ++i) {  // endbr64 and the jump
      const auto instruction = decodeX64(memory.prefix(at, kLongestX64Instruction));
      if (!instruction) break;
      at = at + instruction->length;
      if (instruction->kind == Kind::JumpThrough) return targetOf(memory, *instruction, at);
    }
    return entry;
  }
  return {};
}

/// The frame of a function that was called at `entry` and has come to `instruction`, its return address being so many
/// bytes above the stack pointer.
std::optional<UnwindRow> rowOfCalled(const AddressSpace& memory, Address entry, Address instruction,
                                     std::int64_t returnAddress) {
  CodeWalk walk(memory, entry);
  while (const auto way = walk.next(/*onlyPushes=*/true)) {
    if (way->at != instruction || way->stack != -returnAddress) continue;
    Way here = *way;
    for (auto& place : here.saved)
      if (place) *place -= way->stack;
    return rowOf(here, returnAddress);
  }
  return std::nullopt;
}

/// The frame of which all ways from the instruction on end at one return address, of those that have a call in front of
/// what they say.
std::optional<UnwindRow> rowAtReturn(const AddressSpace& memory, const CodePlace& place) {
  std::optional<Way> found;
  Address foundAt;
  CodeWalk walk(memory, place.instruction);
  for (std::size_t ends = 0; ends < kMostEnds;) {
    const auto way = walk.next(/*onlyPushes=*/false);
    if (!way) break;
    if (!walk.isAtReturn()) continue;
    ++ends;
    const Address base = way->base == kX64StackPointer ? place.stackPointer : place.framePointer;
    const Address at = base + static_cast<std::uint64_t>(way->stack);
    Address target;
    if (at < place.stackPointer || !memory.tryRead(at, target) || !place.isBehindCall(target)) continue;
    if (found && foundAt != at) return std::nullopt;
    if (!found) found = way;
    foundAt = at;
  }
  return found ? std::optional(rowOf(*found, found->stack)) : std::nullopt;
}

}  // namespace

std::optional<UnwindRow> signalReturnRow(const AddressSpace& memory, Address instruction) {
  constexpr std::array<unsigned char, 9> kCode{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
  const Bytes code = memory.prefix(instruction, kCode.size());
  if (code.size() != kCode.size() || std::memcmp(code.data(), kCode.data(), kCode.size()) != 0) return std::nullopt;
  constexpr std::int64_t kGeneralRegisters = 40;  // uc_mcontext behind uc_flags, uc_link and uc_stack
  // By DWARF's numbers, as struct sigcontext has them: r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip.
  constexpr std::array<std::size_t, 17> kOrder{8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
  UnwindRow row;
  row.frameAddress = {RegisterRule::Kind::InRegister, kDwarfX64StackPointer, 0, {}};
  for (std::size_t i = 0; i < kOrder.size(); ++i)
    row.registers[kOrder[i]] = {
        RegisterRule::Kind::SavedAt, 0, kGeneralRegisters + static_cast<std::int64_t>(i * kPointerBytes), {}};
  return row;
}

std::optional<UnwindRow> rowByCode(const AddressSpace& memory, const CodePlace& place) {
  constexpr int kMostCalls = 32;  // that are followed; the caller's is the first or second
  int calls = 0;
  for (std::int64_t offset = 0; offset < kMostFrameBytes && calls < kMostCalls; offset += kPointerBytes) {
    Address word;
    if (!memory.tryRead(place.stackPointer + static_cast<std::uint64_t>(offset), word)) break;
    if (!word || !place.isBehindCall(word)) continue;
    const Address entry = calledBefore(memory, word);
    if (!entry || !place.isInLibrary(entry)) continue;
    ++calls;
    if (auto row = rowOfCalled(memory, entry, place.instruction, offset)) return row;
  }
  return rowAtReturn(memory, place);
}

}  // namespace heapscape::engine
