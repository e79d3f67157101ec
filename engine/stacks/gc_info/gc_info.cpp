// SPDX-License-Identifier: MIT
#include "stacks/gc_info/gc_info.h"

#include <algorithm>
#include <bit>

#include "runtime/methods/gc_info_header.h"

namespace heapscape::engine {
namespace {

// GcInfoHeaderFlags and widths of src/coreclr/inc/gcinfotypes.h for AMD64.
constexpr std::uint32_t kHasSecurityObject = 0x2;  // no compiler of .NET writes one
constexpr std::uint32_t kHasGsCookie = 0x4;
constexpr std::uint32_t kHasPspSym = 0x8;
constexpr std::uint32_t kGenericsContextMask = 0x30;
constexpr std::uint32_t kContextIsMethod = 0x20;
constexpr std::uint32_t kContextIsThis = 0x30;
constexpr std::uint32_t kHasFrameBase = 0x40;
constexpr std::uint32_t kReportOnlyLeaf = 0x80;
constexpr std::uint32_t kHasEditAndContinueArea = 0x100;
constexpr std::uint32_t kHasReversePInvokeFrame = 0x200;
constexpr unsigned kPrologBase = 5;
constexpr unsigned kEpilogBase = 3;
constexpr unsigned kStackSlotBase = 6;
constexpr unsigned kFrameBaseBase = 3;
constexpr std::uint32_t kFrameBaseXor = 5;  // so that rbp is written as 0
constexpr unsigned kEditAndContinueBase = 4;
constexpr unsigned kScratchAreaBase = 3;
constexpr unsigned kSafePointCountBase = 2;
constexpr unsigned kRangeCountBase = 1;
constexpr unsigned kRangeBase = 6;

constexpr std::uint32_t kLongestCode = 64 << 20;
constexpr std::uint32_t kMostSafePoints = 1 << 18;
constexpr std::uint32_t kMostRanges = 1 << 16;
constexpr std::int32_t kFarthestSlot = 1 << 24;
constexpr std::uint32_t kMostScratchSlots = 1 << 24;

}  // namespace

GcInfoRules GcInfoRules::of(const Contract& contract) {
  // Negative constants are kept as unsigned numbers with the same bits.
  const auto number = [](std::uint64_t constant) { return static_cast<int>(static_cast<std::int64_t>(constant)); };
  GcInfoRules rules;
  rules.hasReturnKind = contract.constant("GcInfo.HasReturnKind") != 0;
  rules.isContextFromCaller = contract.constant("GcInfo.ContextFromCaller") != 0;
  rules.hasPspSym = contract.constant("GcInfo.HasPSPSym") != 0;
  rules.safePointBias = number(contract.constant("GcInfo.SafePointBias"));
  rules.abortedBias = number(contract.constant("StackWalk.AbortedBias"));
  rules.scratchAtSafePoint = contract.constant("GcInfo.ScratchAtSafePoint") != 0;
  return rules;
}

Result<GcInfo> GcInfo::read(GcInfoBits bits, const GcInfoRules& rules) {
  GcInfo info;
  const char* problem = info.readHead(bits, rules);
  const std::uint32_t safePoints = bits.readUnsigned(kSafePointCountBase);
  const std::uint32_t ranges = info.m_isFat ? bits.readUnsigned(kRangeCountBase) : 0;
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (!problem) problem = info.readSafePoints(bits, safePoints);
  if (!problem) problem = info.readRanges(bits, ranges);
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (problem) return tl::unexpected(damagedGcInfo(problem));
  HEAPSCAPE_TRY(info.m_slots, GcSlotTable::read(bits, info.m_frameBase.has_value()));
  info.m_behindSlots = bits;
  return info;
}

const char* GcInfo::readHead(GcInfoBits& bits, const GcInfoRules& rules) {
  const GcInfoStart start = readGcInfoStart(bits, rules.hasReturnKind);
  m_isFat = start.isFat;
  m_codeLength = start.codeLength;
  if (m_codeLength == 0 || m_codeLength > kLongestCode) return "no code is as long as it says";
  if (!m_isFat) {
    if (start.flags != 0) m_frameBase = Register::Rbp;
    return nullptr;
  }
  const auto has = [&](std::uint32_t flag) { return (start.flags & flag) != 0; };
  if (has(kHasSecurityObject) || (has(kHasPspSym) && !rules.hasPspSym)) return "its head has unknown members";
  const std::uint32_t prolog = has(kHasGsCookie | kGenericsContextMask) ? bits.readUnsigned(kPrologBase) + 1 : 0;
  if (has(kHasGsCookie)) bits.readUnsigned(kEpilogBase);
  if (has(kHasGsCookie)) bits.readSigned(kStackSlotBase);
  if (has(kHasPspSym)) bits.readSigned(kStackSlotBase);
  if (has(kGenericsContextMask)) {
    const std::int32_t slot = bits.readSigned(kStackSlotBase);
    if (slot > kFarthestSlot || slot < -kFarthestSlot) return "its generic context is on no stack";
    const std::uint32_t kind = start.flags & kGenericsContextMask;
    if (kind != kContextIsThis)
      m_contextPlace = {slot * static_cast<std::int32_t>(kPointerBytes), kind == kContextIsMethod, prolog};
  }
  const std::uint32_t frameBase = has(kHasFrameBase) ? bits.readUnsigned(kFrameBaseBase) ^ kFrameBaseXor : 0;
  if (frameBase >= kRegisterCount) return "its frame is at no register";
  if (has(kHasFrameBase)) m_frameBase = static_cast<Register>(frameBase);
  if (has(kHasEditAndContinueArea)) bits.readUnsigned(kEditAndContinueBase);
  if (has(kHasReversePInvokeFrame)) bits.readSigned(kStackSlotBase);
  const std::uint32_t scratchSlots = bits.readUnsigned(kScratchAreaBase);
  if (scratchSlots > kMostScratchSlots) return "no stack is as large as it says";
  m_scratchAreaBytes = scratchSlots * kPointerBytes;
  m_isReportedByLeafOnly = has(kReportOnlyLeaf);
  return nullptr;
}

const char* GcInfo::readSafePoints(GcInfoBits& bits, std::uint32_t count) {
  if (count > kMostSafePoints || count > m_codeLength) return "it has too many safe points";
  const auto width = static_cast<unsigned>(std::bit_width(m_codeLength - 1));
  for (std::uint32_t i = 0; i < count && !bits.failed(); ++i) {
    const std::uint32_t offset = bits.read(width);
    if (offset >= m_codeLength || (i > 0 && offset <= m_safePoints.back())) return "its safe points are out of order";
    m_safePoints.push_back(offset);
  }
  return nullptr;
}

const char* GcInfo::readRanges(GcInfoBits& bits, std::uint32_t count) {
  if (count > kMostRanges) return "it has too many interruptible ranges";
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < count && !bits.failed(); ++i) {
    const std::uint64_t start = last + bits.readUnsigned(kRangeBase);
    last = start + bits.readUnsigned(kRangeBase) + 1;
    if (last > m_codeLength) return "an interruptible range reaches behind the code";
    m_interruptible.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(last)});
    m_interruptibleBytes += static_cast<std::uint32_t>(last - start);
  }
  return nullptr;
}

std::optional<std::uint32_t> GcInfo::safePointAt(std::uint32_t offset) const {
  const auto found = std::lower_bound(m_safePoints.begin(), m_safePoints.end(), offset);
  if (found == m_safePoints.end() || *found != offset) return std::nullopt;
  return static_cast<std::uint32_t>(found - m_safePoints.begin());
}

std::optional<std::uint32_t> GcInfo::interruptiblePlaceOf(std::uint32_t offset) const {
  std::uint32_t before = 0;
  for (const Range& range : m_interruptible) {
    if (offset < range.start) break;
    if (offset < range.end) return before + (offset - range.start);
    before += range.end - range.start;
  }
  return std::nullopt;
}

Result<std::vector<bool>> GcInfo::liveAtSafePoint(std::uint32_t index) const {
  return liveness().atSafePoint(index);
}

Result<std::vector<bool>> GcInfo::liveAtPlace(std::uint32_t place) const {
  return liveness().atInterruptible(place);
}

GcLiveness GcInfo::liveness() const {
  return {m_behindSlots,
          {.trackedSlots = static_cast<std::uint32_t>(m_slots.tracked().size()),
           .safePoints = static_cast<std::uint32_t>(m_safePoints.size()),
           .interruptibleBytes = m_interruptibleBytes}};
}

}  // namespace heapscape::engine
