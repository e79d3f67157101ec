// SPDX-License-Identifier: MIT
#include "runtime/methods/code_lookup.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/limits.h"
#include "runtime/aot/aot_program.h"
#include "runtime/methods/gc_info_bits.h"
#include "runtime/methods/unwind_record.h"

namespace heapscape::engine {
namespace {

// Four bits for every 32 bytes of code, the first ones highest: 0, or one more than where code begins in them, counted
// in units of four bytes (src/coreclr/vm/nibblemapmacros.h).
constexpr unsigned kBytesPerNibble = 32;
constexpr unsigned kNibblesPerUnit = 8;
constexpr unsigned kBytesPerStep = 4;
// Since .NET 10 a unit of a long method points at the method's start instead: a last nibble above 8 tells that.
constexpr std::uint32_t kFirstPointerMark = 9;

class NibbleMap {
 public:
  NibbleMap(const ClrRuntime& runtime, Address base, Address units)
      : m_memory(runtime.memory()),
        m_base(base),
        m_units(units),
        m_holdsPointers(runtime.contract().constant("NibbleMap.HoldsPointers") != 0) {}

  Address startBefore(Address address) const {
    const std::uint64_t nibble = (address - m_base) / kBytesPerNibble;
    const std::uint64_t unit = nibble / kNibblesPerUnit;
    const auto own = unitAt(unit);
    if (!own) return {};
    if (isPointer(*own)) return target(*own);
    if (const Address start = lastStart(*own, unit, address)) return start;
    return startInUnitsBefore(unit);
  }

 private:
  std::optional<std::uint32_t> unitAt(std::uint64_t unit) const {
    std::uint32_t value = 0;
    return m_memory.tryRead(m_units + unit * sizeof value, value) ? std::optional(value) : std::nullopt;
  }
  bool isPointer(std::uint32_t unit) const { return m_holdsPointers && (unit & 0xf) >= kFirstPointerMark; }
  Address target(std::uint32_t unit) const {
    return m_base + ((unit & ~0xfu) + ((unit & 0xf) - kFirstPointerMark) * kBytesPerStep);
  }

  /// The last beginning that a unit notes at or before the address.
  Address lastStart(std::uint32_t value, std::uint64_t unit, Address address) const {
    for (unsigned i = kNibblesPerUnit; i-- > 0;) {
      const std::uint32_t nibble = value >> (4 * (kNibblesPerUnit - 1 - i)) & 0xf;
      if (nibble == 0) continue;
      const Address start = m_base + ((unit * kNibblesPerUnit + i) * kBytesPerNibble + (nibble - 1) * kBytesPerStep);
      if (start <= address) return start;
    }
    return {};
  }

  Address startInUnitsBefore(std::uint64_t unit) const {
    for (std::size_t seen = 0; unit > 0 && seen < kLimits.codeUnitsOfMethod; ++seen) {
      const auto value = unitAt(--unit);
      if (!value) return {};
      if (isPointer(*value)) return target(*value);
      if (*value) return lastStart(*value, unit, {UINT64_MAX});
      if (m_holdsPointers) return {};  // inside of a method there is no empty unit
    }
    return {};
  }

  const AddressSpace& m_memory;
  Address m_base;
  Address m_units;
  bool m_holdsPointers;
};

}  // namespace

Address findCodeStart(const ClrRuntime& runtime, Address codeHeap, Address address) {
  const auto start = runtime.pointerAt(codeHeap, "CodeHeapListNode", "StartAddress");
  const auto end = runtime.pointerAt(codeHeap, "CodeHeapListNode", "EndAddress");
  const auto base = runtime.pointerAt(codeHeap, "CodeHeapListNode", "MapBase");
  const auto map = runtime.pointerAt(codeHeap, "CodeHeapListNode", "HeaderMap");
  if (!start || !end || !base || !map || address < *base) return {};
  if (!AddressRange{*start, *end}.contains(address)) return {};
  return NibbleMap(runtime, *base, *map).startBefore(address);
}

namespace {

// Both kinds of precode load their MethodDesc, with an offset from the next instruction:
// StubPrecode   mov r10, [rip + offset]; jmp [rip + …]
// FixupPrecode  jmp [rip + …]; mov r10, [rip + offset]; jmp [rip + …]
constexpr std::array<std::uint8_t, 3> kMoveR10{0x4c, 0x8b, 0x15};
constexpr std::array<std::uint8_t, 2> kJump{0xff, 0x25};
constexpr std::size_t kMoveBytes = 7;
constexpr std::size_t kJumpBytes = 6;

using CodeBytes = std::array<std::uint8_t, kJumpBytes + kMoveBytes>;

// On arm64 they load it into x12 from behind the code, as far away as the kernel's pages ask for:
// StubPrecode   ldr x10, Target; ldr x12, MethodDesc; br x10
// FixupPrecode  ldr x11, Target; br x11; (since .NET 10 dmb ishld;) ldr x12, MethodDesc; ldr x11, Thunk; br x11
Address methodOfPrecodeOfArm64(const ClrRuntime& runtime, Address entry) {
  constexpr std::uint32_t kLoadLiteral = 0x5800'0000;
  constexpr std::uint32_t kLoadMask = 0xff00'001f;
  constexpr std::uint32_t kTarget10 = kLoadLiteral | 10;
  constexpr std::uint32_t kTarget11 = kLoadLiteral | 11;
  constexpr std::uint32_t kMethod12 = kLoadLiteral | 12;
  constexpr std::uint32_t kBranch11 = 0xd61f'0160;
  constexpr std::uint32_t kBarrier = 0xd503'39bf;
  std::array<std::uint32_t, 4> code{};
  if (!runtime.memory().tryRead(entry, code)) return {};
  std::size_t at = 1;
  if ((code[0] & kLoadMask) == kTarget11 && code[1] == kBranch11) at = code[2] == kBarrier ? 3 : 2;
  if (at == 1 && (code[0] & kLoadMask) != kTarget10) return {};
  if ((code[at] & kLoadMask) != kMethod12) return {};
  // The distance of 19 bits counts instructions from this one.
  const auto distance = static_cast<std::int32_t>(code[at] << 8u) >> 13;
  const Address slot{entry.value + 4 * at + static_cast<std::uint64_t>(std::int64_t{distance} * 4)};
  Address method;
  return runtime.memory().tryRead(slot, method) ? method : Address{};
}

/// The MethodDesc that a precode stands for: the small stub that a method's slots point at until, or as long as, its
/// code may change (src/coreclr/vm/precode.h). 0 if there is none at the address or the dump does not hold it.
Address methodOfPrecode(const ClrRuntime& runtime, Address entry) {
  if (runtime.contract().architecture() == Architecture::Arm64) return methodOfPrecodeOfArm64(runtime, entry);
  CodeBytes code{};
  if (!runtime.memory().tryRead(entry, std::as_writable_bytes(std::span(code)))) return {};
  const std::size_t move = std::memcmp(code.data(), kJump.data(), kJump.size()) == 0 ? kJumpBytes : 0;
  if (std::memcmp(code.data() + move, kMoveR10.data(), kMoveR10.size()) != 0) return {};
  std::int32_t offset = 0;
  std::memcpy(&offset, code.data() + move + kMoveR10.size(), sizeof offset);
  const Address slot{entry.value + move + kMoveBytes + static_cast<std::uint64_t>(std::int64_t{offset})};
  Address method;
  return runtime.memory().tryRead(slot, method) ? method : Address{};
}

// Right before jitted code lies a pointer to its RealCodeHeader, or for stubs a small number.
constexpr std::uint64_t kHeaderPointerBytes = 8;
constexpr std::uint64_t kLastStubKind = 0xf;

}  // namespace

std::optional<CodeLocation> CodeLookup::find(Address instruction) const {
  if (m_runtime.aot()) return findCompiled(instruction);
  const auto range = findCodeRange(m_runtime, instruction);
  if (!range) return std::nullopt;
  if (range->heap) return findJitted(range->heap, instruction);
  if (range->module) return findReadyToRun(*range, instruction);
  return std::nullopt;
}

std::optional<SourceLine> CodeLookup::lineOf(Address instruction) const {
  return m_runtime.aot() ? m_runtime.aot()->debugFile.lineOf(instruction) : std::nullopt;
}

std::optional<CodeLocation> CodeLookup::findCompiled(Address instruction) const {
  const auto function = m_runtime.aot()->code.find(instruction);
  if (!function) return std::nullopt;
  return CodeLocation{.methodDesc = function->methodStart,
                      .start = function->methodStart,
                      .state = MethodState::ReadyToRun,
                      .isFunclet = function->isFunclet,
                      .gcInfo = function->gcInfo};
}

std::optional<CodeLocation> CodeLookup::findJitted(Address codeHeap, Address instruction) const {
  const AddressSpace& memory = m_runtime.memory();
  const Address start = findCodeStart(m_runtime, codeHeap, instruction);
  Address header;
  if (!start || !memory.tryRead(start - kHeaderPointerBytes, header) || header.value <= kLastStubKind)
    return std::nullopt;
  const auto methodDesc = m_runtime.pointerAt(header, "RealCodeHeader", "MethodDesc");
  const auto gcInfo = m_runtime.pointerAt(header, "RealCodeHeader", "GCInfo");
  const auto count = m_runtime.valueAt<std::uint32_t>(header, "RealCodeHeader", "NumUnwindInfos");
  if (!methodDesc || !gcInfo || !count) return std::nullopt;
  CodeLocation code{.methodDesc = *methodDesc, .start = start, .state = MethodState::Jitted, .gcInfo = *gcInfo};

  // The functions of the method follow each other, the method's own one first.
  const Address functions = m_runtime.member(header, "RealCodeHeader", "UnwindInfos");
  const std::uint64_t size = m_runtime.contract().sizeOf("RuntimeFunction");
  const std::uint64_t shown = std::min<std::uint64_t>(*count, kLimits.funcletsOfMethod);
  for (std::uint64_t i = 0; i < shown; ++i) {
    const Address entry = functions + i * size;
    const auto begin = m_runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "BeginAddress");
    const bool isSane = begin && (i > 0 || start.value >= *begin);
    if (i == 0 && isSane) code.imageBase = start - *begin;
    const auto function = isSane ? readRuntimeFunction(m_runtime, entry, code.imageBase) : std::nullopt;
    if (!function) {
      code.isExact = false;
      return code;
    }
    const AddressRange range{code.imageBase + function->begin, code.imageBase + function->end};
    if (!range.contains(instruction)) continue;
    code.function = *function;
    code.isFunclet = i > 0;
    return code;
  }
  return std::nullopt;  // behind the end of the last method before it
}

std::optional<CodeLocation> CodeLookup::findReadyToRun(const CodeRange& range, Address instruction) const {
  const auto rva = static_cast<std::uint32_t>(instruction - range.range.start);
  const auto found = m_readyToRun.functionAt(range.module, range.range.start, rva);
  if (!found.function && found.isWhole) return std::nullopt;
  // Funclets have no entry of their own: they belong to the last method before them.
  const auto entry = m_readyToRun.entryAtOrBefore(range.module, instruction);
  if (!entry || !range.range.contains(entry->start)) return std::nullopt;
  CodeLocation code{.methodDesc = entry->methodDesc,
                    .start = entry->start,
                    .state = MethodState::ReadyToRun,
                    .isExact = found.function.has_value(),
                    .imageBase = range.range.start,
                    .function = found.function};
  const auto startRva = static_cast<std::uint32_t>(entry->start - range.range.start);
  code.isFunclet = found.function && found.function->begin != startRva;
  const auto own =
      code.isFunclet || !found.function ? m_readyToRun.functionAt(range.module, code.imageBase, startRva) : found;
  if (own.function && own.function->begin == startRva)
    code.gcInfo = gcInfoBehindUnwindInfo(code.imageBase + own.function->unwindData);
  const auto length = codeLengthInGcInfo(m_runtime, code.gcInfo);
  // A function that is not the method's own belongs to one that was never prepared to run.
  if (length && instruction >= code.start + *length) return std::nullopt;
  const bool isOwnFunction = found.function && !code.isFunclet;
  if (!length && !entry->isNearest && !isOwnFunction) return std::nullopt;
  if (length) code.isExact = true;
  return code;
}

// UNWIND_INFO of x64: its third byte counts the codes behind it, of two bytes each and padded to an even number; an
// offset of the personality routine follows, then the GC info, as behind the record of arm64
// (ReadyToRunJitManager::GetUnwindDataBlob and GetGCInfoToken, src/coreclr/vm/codeman.cpp).
Address CodeLookup::gcInfoBehindUnwindInfo(Address unwindInfo) const {
  constexpr std::uint64_t kHeadBytes = 4;
  constexpr std::uint64_t kPersonalityBytes = 4;
  std::uint8_t codes = 0;
  if (m_runtime.contract().architecture() == Architecture::Arm64) {
    const auto record = readUnwindRecord(m_runtime.memory(), unwindInfo);
    return record ? record->end : Address{};
  }
  if (!m_runtime.memory().tryRead(unwindInfo + 2, codes)) return {};
  return unwindInfo + (kHeadBytes + 2 * alignUp(codes, 2) + kPersonalityBytes);
}

std::uint32_t CodeLookup::codeBytes(const CodeLocation& code) const {
  return codeLengthInGcInfo(m_runtime, code.gcInfo).value_or(0);
}

Address CodeLookup::methodAtEntry(Address entry) const {
  if (m_runtime.aot()) {
    const auto code = findCompiled(entry);
    return code && code->start == entry ? code->methodDesc : Address{};
  }
  const auto range = findCodeRange(m_runtime, entry);
  if (range && !range->heap && !range->module) return methodOfPrecode(m_runtime, entry);
  const auto code = find(entry);
  return code && code->start == entry ? code->methodDesc : Address{};
}

bool isManagedCode(const ClrRuntime& runtime, Address instruction) {
  // As in CodeLookup: right before jitted code lies a pointer to its header, or for stubs a small number.
  constexpr std::uint64_t kHeaderPointerBytes = 8;
  constexpr std::uint64_t kLastStubKind = 0xf;
  if (runtime.aot()) return runtime.aot()->code.find(instruction).has_value();
  const auto range = findCodeRange(runtime, instruction);
  if (!range || !range->heap) return range && range->module;
  const Address start = findCodeStart(runtime, range->heap, instruction);
  Address header;
  return !start || !runtime.memory().tryRead(start - kHeaderPointerBytes, header) || header.value > kLastStubKind;
}

}  // namespace heapscape::engine
