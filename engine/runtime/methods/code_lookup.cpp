// SPDX-License-Identifier: MIT
#include "runtime/methods/code_lookup.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/limits.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/gc_info_header.h"
#include "runtime/methods/nibble_map.h"

namespace heapscape::engine {
namespace {

// Both kinds of precode load their MethodDesc, with an offset from the next instruction:
// StubPrecode   mov r10, [rip + offset]; jmp [rip + …]
// FixupPrecode  jmp [rip + …]; mov r10, [rip + offset]; jmp [rip + …]
constexpr std::array<std::uint8_t, 3> kMoveR10{0x4c, 0x8b, 0x15};
constexpr std::array<std::uint8_t, 2> kJump{0xff, 0x25};
constexpr std::size_t kMoveBytes = 7;
constexpr std::size_t kJumpBytes = 6;

using CodeBytes = std::array<std::uint8_t, kJumpBytes + kMoveBytes>;

/// The MethodDesc that a precode stands for: the small stub that a method's slots point at until, or as long as, its
/// code may change (src/coreclr/vm/precode.h). 0 if there is none at the address or the dump does not hold it.
Address methodOfPrecode(const ClrRuntime& runtime, Address entry) {
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
  const auto range = findCodeRange(m_runtime, instruction);
  if (!range) return std::nullopt;
  if (range->heap) return findJitted(range->heap, instruction);
  if (range->module) return findReadyToRun(*range, instruction);
  return std::nullopt;
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
    const auto end = m_runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "EndAddress");
    const auto unwind = m_runtime.valueAt<std::uint32_t>(entry, "RuntimeFunction", "UnwindData");
    if (!begin || !end || !unwind || (i == 0 && start.value < *begin)) {
      code.isExact = false;
      return code;
    }
    if (i == 0) code.imageBase = start - *begin;
    const AddressRange range{code.imageBase + *begin, code.imageBase + *end};
    if (!range.contains(instruction)) continue;
    code.function = {*begin, *end, *unwind};
    code.isFunclet = i > 0;
    return code;
  }
  return std::nullopt;  // behind the end of the last method before it
}

std::optional<CodeLocation> CodeLookup::findReadyToRun(const CodeRange& range, Address instruction) const {
  const auto rva = static_cast<std::uint32_t>(instruction - range.range.start);
  const auto found = m_readyToRun.functionAt(range.module, rva);
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
  const auto own = code.isFunclet || !found.function ? m_readyToRun.functionAt(range.module, startRva) : found;
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
// offset of the personality routine follows, then the GC info (ReadyToRunJitManager::GetUnwindDataBlob and
// GetGCInfoToken, src/coreclr/vm/codeman.cpp).
Address CodeLookup::gcInfoBehindUnwindInfo(Address unwindInfo) const {
  constexpr std::uint64_t kHeadBytes = 4;
  constexpr std::uint64_t kPersonalityBytes = 4;
  std::uint8_t codes = 0;
  if (!m_runtime.memory().tryRead(unwindInfo + 2, codes)) return {};
  return unwindInfo + (kHeadBytes + 2 * alignUp(codes, 2) + kPersonalityBytes);
}

std::uint32_t CodeLookup::codeBytes(const CodeLocation& code) const {
  return codeLengthInGcInfo(m_runtime, code.gcInfo).value_or(0);
}

Address CodeLookup::methodAtEntry(Address entry) const {
  const auto range = findCodeRange(m_runtime, entry);
  if (range && !range->heap && !range->module) return methodOfPrecode(m_runtime, entry);
  const auto code = find(entry);
  return code && code->start == entry ? code->methodDesc : Address{};
}

}  // namespace heapscape::engine
