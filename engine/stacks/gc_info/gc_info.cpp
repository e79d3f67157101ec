// SPDX-License-Identifier: MIT
#include "stacks/gc_info/gc_info.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

namespace heapscape::engine {
namespace {

// A method has hardly ever a hundred.
constexpr std::uint64_t kMostSlots = 16'384;

// Widths of src/coreclr/inc/gcinfotypes.h, those that are the same on all processors.
constexpr unsigned kStackSlotCountBase = 2;
constexpr unsigned kUntrackedCountBase = 1;
constexpr unsigned kRegisterBase = 3;
constexpr unsigned kRegisterDeltaBase = 2;
constexpr unsigned kSlotOffsetBase = 6;
constexpr unsigned kStackSlotDeltaBase = 4;
constexpr unsigned kSlotFlagBits = 2;
constexpr unsigned kSlotBaseBits = 2;

constexpr std::uint32_t kInterior = 1;
constexpr std::uint32_t kPinned = 2;

// Offsets count in slots; no frame is larger than this.
constexpr std::int64_t kLargestOffset = 1 << 28;

}  // namespace

Error unreadableGcInfo(const GcInfoBits& bits) {
  if (!bits.isMissing()) return damagedGcInfo("it has a number that is too large");
  return {ErrorCode::NotInDump, fmt::format("The dump lacks GC info at {}.", toString(bits.address()))};
}

Error damagedGcInfo(const char* why) {
  return {ErrorCode::Damaged, fmt::format("GC info of the method makes no sense: {}.", why)};
}

Result<GcSlotTable> GcSlotTable::read(GcInfoBits& bits, bool hasFrameBase, const GcInfoRules& rules) {
  const std::uint32_t registers = bits.readFlag() ? bits.readUnsigned(rules.registerCountBits) : 0;
  std::uint32_t tracked = 0;
  std::uint32_t untracked = 0;
  if (bits.readFlag()) {
    tracked = bits.readUnsigned(kStackSlotCountBase);
    untracked = bits.readUnsigned(kUntrackedCountBase);
  }
  const std::uint64_t count = std::uint64_t{registers} + tracked + untracked;
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (count > kMostSlots) return tl::unexpected(damagedGcInfo("it has too many slots"));

  const GcSlotBase lastBase = hasFrameBase ? GcSlotBase::FrameBase : GcSlotBase::StackPointer;
  GcSlotTable table;
  table.m_slots.reserve(static_cast<std::size_t>(count));
  table.readRegisters(bits, registers, rules.architecture);
  table.readStackSlots(bits, tracked, lastBase);
  table.m_trackedCount = table.m_slots.size();
  table.readStackSlots(bits, untracked, lastBase);
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (table.m_isDamaged) return tl::unexpected(damagedGcInfo("it has a slot that is no place of a reference"));
  return table;
}

// Each slot follows the one before; only behind one with flags the place is written anew.
void GcSlotTable::readRegisters(GcInfoBits& bits, std::uint32_t count, Architecture architecture) {
  const RegisterFile& file = registerFile(architecture);
  std::uint64_t number = 0;
  std::uint32_t flags = 0;
  for (std::uint32_t i = 0; i < count && !m_isDamaged && !bits.failed(); ++i) {
    if (i == 0 || flags != 0) {
      number = bits.readUnsigned(kRegisterBase);
      flags = bits.read(kSlotFlagBits);
    } else {
      number += std::uint64_t{bits.readUnsigned(kRegisterDeltaBase)} + 1;
    }
    const Register reg{static_cast<std::uint8_t>(number), architecture};
    if (number >= file.count() || reg == file.stackPointer) m_isDamaged = true;
    m_slots.push_back({.reg = reg, .isInterior = (flags & kInterior) != 0, .isPinned = (flags & kPinned) != 0});
  }
}

void GcSlotTable::readStackSlots(GcInfoBits& bits, std::uint32_t count, GcSlotBase lastBase) {
  std::int64_t offset = 0;
  std::uint32_t flags = 0;
  for (std::uint32_t i = 0; i < count && !m_isDamaged && !bits.failed(); ++i) {
    const std::uint32_t base = bits.read(kSlotBaseBits);
    if (i == 0 || flags != 0) {
      offset = bits.readSigned(kSlotOffsetBase) * std::int64_t{kPointerBytes};
      flags = bits.read(kSlotFlagBits);
    } else {
      offset += bits.readUnsigned(kStackSlotDeltaBase) * std::int64_t{kPointerBytes};
    }
    if (base > static_cast<std::uint32_t>(lastBase) || offset > kLargestOffset || offset < -kLargestOffset)
      m_isDamaged = true;
    m_slots.push_back({.base = static_cast<GcSlotBase>(base),
                       .offset = static_cast<std::int32_t>(offset),
                       .isInterior = (flags & kInterior) != 0,
                       .isPinned = (flags & kPinned) != 0});
  }
}

namespace {

using States = std::vector<bool>;

constexpr unsigned kPointerSizeBase = 3;
constexpr unsigned kSkipBase = 4;
constexpr unsigned kRunBase = 2;
constexpr unsigned kChunkBits = 6;
constexpr std::uint32_t kChunkUnits = 1 << kChunkBits;
constexpr std::uint32_t kWidestPointer = 32;

// Runs of dead and live slots take turns. One of the two is thought to be longer and written in larger groups: which
// one, the first bit says. Only the first run, of dead slots, can be empty.
bool readRuns(GcInfoBits& bits, States& states) {
  bool isInLargeGroups = !bits.readFlag();
  const auto baseOfRun = [&] { return isInLargeGroups ? kSkipBase : kRunBase; };
  std::uint64_t slot = bits.readUnsigned(baseOfRun());
  for (bool isLive = true; slot < states.size() && !bits.failed(); isLive = !isLive) {
    isInLargeGroups = !isInLargeGroups;
    const std::uint64_t end = slot + bits.readUnsigned(baseOfRun()) + 1;
    if (end > states.size()) return false;
    for (; slot < end; ++slot) states[static_cast<std::size_t>(slot)] = isLive;
  }
  return slot == states.size();
}

void readPlain(GcInfoBits& bits, States& states) {
  for (std::size_t i = 0; i < states.size() && !bits.failed(); ++i) states[i] = bits.readFlag();
}

bool readStates(GcInfoBits& bits, States& states) {
  if (bits.readFlag()) return readRuns(bits, states);
  readPlain(bits, states);
  return true;
}

Result<States> checked(const GcInfoBits& bits, bool isSound, States states) {
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (!isSound) return tl::unexpected(damagedGcInfo("its slots' states do not fit their number"));
  return states;
}

// Each slot that is live anywhere in the chunk has its state at the chunk's end, and places where that changes; going
// back from the end, all of those behind the instruction have to be undone.
bool readChunk(GcInfoBits& bits, States& states, std::uint32_t place, bool hasPlace) {
  if (!readStates(bits, states)) return false;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i]) known.push_back(i);
  }
  for (const std::size_t slot : known) states[slot] = bits.readFlag();
  if (!hasPlace) return true;
  for (const std::size_t slot : known) {
    std::uint32_t changes = 0;
    for (; bits.readFlag(); ++changes) {
      if (changes == kChunkUnits) return false;
      if (bits.read(kChunkBits) > place) states[slot] = !states[slot];
    }
    if (bits.failed()) break;
  }
  return true;
}

}  // namespace

Result<States> GcLiveness::atSafePoint(std::uint32_t index) const {
  States states(m_shape.trackedSlots);
  if (states.empty()) return states;
  GcInfoBits bits = m_bits;
  // Equal states may be written once, and found by a table.
  if (!bits.readFlag()) {
    bits.skip(std::uint64_t{index} * m_shape.trackedSlots);
    readPlain(bits, states);
    return checked(bits, true, std::move(states));
  }
  const std::uint64_t width = std::uint64_t{bits.readUnsigned(kPointerSizeBase)} + 1;
  if (width > kWidestPointer) return checked(bits, false, {});
  const std::uint64_t table = bits.position();
  bits.skip(index * width);
  const std::uint32_t offset = bits.read(static_cast<unsigned>(width));
  bits.seek(table + m_shape.safePoints * width);
  bits.alignToByte();
  bits.skip(offset);
  const bool isSound = readStates(bits, states);
  return checked(bits, isSound, std::move(states));
}

Result<States> GcLiveness::atInterruptible(std::uint32_t place) const {
  States states(m_shape.trackedSlots);
  if (states.empty() || place >= m_shape.interruptibleUnits) return states;
  GcInfoBits bits = m_bits;
  if (m_shape.safePoints > 0 && bits.readFlag()) bits.readUnsigned(kPointerSizeBase);
  bits.skip(std::uint64_t{m_shape.safePoints} * m_shape.trackedSlots);

  const std::uint32_t width = bits.readUnsigned(kPointerSizeBase);
  if (width > kWidestPointer) return checked(bits, false, {});
  if (width == 0) return checked(bits, true, std::move(states));
  const std::uint64_t table = bits.position();
  const std::uint64_t chunks = (std::uint64_t{m_shape.interruptibleUnits} + kChunkUnits - 1) / kChunkUnits;
  // A chunk at whose end all is as at the end of the one before has no entry of its own.
  const std::uint64_t chunkOfPlace = place / kChunkUnits;
  std::uint64_t chunk = chunkOfPlace;
  std::uint32_t pointer = 0;
  for (;; --chunk) {
    bits.seek(table + chunk * width);
    pointer = bits.read(width);
    if (pointer != 0 || chunk == 0 || bits.failed()) break;
  }
  if (pointer == 0) return checked(bits, true, std::move(states));
  bits.seek(table + chunks * width);
  bits.alignToByte();
  bits.skip(pointer - 1);
  const bool isSound = readChunk(bits, states, place % kChunkUnits, chunk == chunkOfPlace);
  return checked(bits, isSound, std::move(states));
}

namespace {

// GcInfoHeaderFlags and widths of src/coreclr/inc/gcinfotypes.h.
constexpr std::uint32_t kHasVariableArguments = 0x1;
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
constexpr unsigned kEditAndContinueBase = 4;
constexpr unsigned kScratchAreaBase = 3;
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
  rules.architecture = contract.architecture();
  rules.hasReturnKind = contract.constant("GcInfo.HasReturnKind") != 0;
  rules.isContextFromCaller = contract.constant("GcInfo.ContextFromCaller") != 0;
  rules.hasPspSym = contract.constant("GcInfo.HasPSPSym") != 0;
  rules.safePointBias = number(contract.constant("GcInfo.SafePointBias"));
  rules.abortedBias = number(contract.constant("StackWalk.AbortedBias"));
  rules.scratchAtSafePoint = contract.constant("GcInfo.ScratchAtSafePoint") != 0;
  rules.alwaysOnlyLeaf = contract.constant("GcInfo.AlwaysOnlyLeafReports") != 0;
  rules.hasFixedFrameSize = contract.constant("GcInfo.HasFixedFrameSize") != 0;
  rules.codeLengthShift = static_cast<unsigned>(contract.constant("GcInfo.CodeLengthShift"));
  rules.codeOffsetShift = static_cast<unsigned>(contract.constant("GcInfo.CodeOffsetShift"));
  rules.frameBaseBits = static_cast<unsigned>(contract.constant("GcInfo.FrameBaseBits"));
  rules.frameBase = static_cast<std::uint32_t>(contract.constant("GcInfo.FrameBaseRegister"));
  rules.safePointCountBits = static_cast<unsigned>(contract.constant("GcInfo.SafePointCountBits"));
  rules.registerCountBits = static_cast<unsigned>(contract.constant("GcInfo.RegisterCountBits"));
  return rules;
}

Result<GcInfo> GcInfo::read(GcInfoBits bits, const GcInfoRules& rules) {
  GcInfo info;
  const char* problem = info.readHead(bits, rules);
  const std::uint32_t safePoints = bits.readUnsigned(rules.safePointCountBits);
  const std::uint32_t ranges = info.m_isFat ? bits.readUnsigned(kRangeCountBase) : 0;
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (!problem) problem = info.readSafePoints(bits, safePoints);
  if (!problem) problem = info.readRanges(bits, ranges);
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (problem) return tl::unexpected(damagedGcInfo(problem));
  HEAPSCAPE_TRY(info.m_slots, GcSlotTable::read(bits, info.m_frameBase.has_value(), rules));
  info.m_behindSlots = bits;
  return info;
}

const char* GcInfo::readHead(GcInfoBits& bits, const GcInfoRules& rules) {
  const GcInfoStart start = readGcInfoStart(bits, rules.hasReturnKind, rules.codeLengthShift);
  const RegisterFile& registers = registerFile(rules.architecture);
  m_isFat = start.isFat;
  m_codeLength = start.codeLength;
  m_codeUnits = m_codeLength >> rules.codeOffsetShift;
  m_isReportedByLeafOnly = rules.alwaysOnlyLeaf;
  m_head.returnKind = start.returnKind;
  if (m_codeLength == 0 || m_codeLength > kLongestCode) return "no code is as long as it says";
  if (!m_isFat) {
    if (start.flags != 0) m_frameBase = registers.framePointer;
    return nullptr;
  }
  const auto has = [&](std::uint32_t flag) { return (start.flags & flag) != 0; };
  if (has(kHasSecurityObject) || (has(kHasPspSym) && !rules.hasPspSym)) return "its head has unknown members";
  const auto slot = [&] { return bits.readSigned(kStackSlotBase) * static_cast<std::int32_t>(kPointerBytes); };
  const std::uint32_t prolog = has(kHasGsCookie | kGenericsContextMask) ? bits.readUnsigned(kPrologBase) + 1 : 0;
  const std::uint32_t epilog = has(kHasGsCookie) ? bits.readUnsigned(kEpilogBase) : 0;
  m_head.hasVariableArguments = has(kHasVariableArguments);
  m_head.prologBytes = prolog << rules.codeOffsetShift;
  if (has(kHasGsCookie)) {
    m_head.gsCookie = slot();
    m_head.gsCookieStart = m_head.prologBytes;
    m_head.gsCookieEnd = m_codeLength - std::min(m_codeLength, epilog << rules.codeOffsetShift);
  }
  if (has(kHasPspSym)) m_head.pspSym = slot();
  if (has(kGenericsContextMask)) {
    const std::int32_t place = bits.readSigned(kStackSlotBase);
    if (place > kFarthestSlot || place < -kFarthestSlot) return "its generic context is on no stack";
    const std::uint32_t kind = start.flags & kGenericsContextMask;
    m_head.genericContext = place * static_cast<std::int32_t>(kPointerBytes);
    m_head.isContextMethod = kind == kContextIsMethod;
    m_head.isContextThis = kind == kContextIsThis;
    if (kind != kContextIsThis) m_contextPlace = {*m_head.genericContext, m_head.isContextMethod, m_head.prologBytes};
  }
  const std::uint32_t frameBase = has(kHasFrameBase) ? bits.readUnsigned(rules.frameBaseBits) ^ rules.frameBase : 0;
  if (frameBase >= registers.count()) return "its frame is at no register";
  if (has(kHasFrameBase)) m_frameBase = Register{static_cast<std::uint8_t>(frameBase), rules.architecture};
  if (has(kHasEditAndContinueArea)) bits.readUnsigned(kEditAndContinueBase);
  if (has(kHasEditAndContinueArea) && rules.hasFixedFrameSize) bits.readUnsigned(kEditAndContinueBase);
  if (has(kHasReversePInvokeFrame)) bits.readSigned(kStackSlotBase);
  const std::uint32_t scratchSlots = bits.readUnsigned(kScratchAreaBase);
  if (scratchSlots > kMostScratchSlots) return "no stack is as large as it says";
  m_scratchAreaBytes = scratchSlots * kPointerBytes;
  m_head.hasFlagOfFunclets = has(kReportOnlyLeaf);
  m_isReportedByLeafOnly |= m_head.hasFlagOfFunclets;
  return nullptr;
}

const char* GcInfo::readSafePoints(GcInfoBits& bits, std::uint32_t count) {
  if (count > kMostSafePoints || count > m_codeUnits) return "it has too many safe points";
  const auto width = static_cast<unsigned>(std::bit_width(std::max(m_codeUnits, 1u) - 1));
  for (std::uint32_t i = 0; i < count && !bits.failed(); ++i) {
    const std::uint32_t offset = bits.read(width);
    if (offset >= m_codeUnits || (i > 0 && offset <= m_safePoints.back())) return "its safe points are out of order";
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
    if (last > m_codeUnits) return "an interruptible range reaches behind the code";
    m_interruptible.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(last)});
    m_interruptibleUnits += static_cast<std::uint32_t>(last - start);
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
           .interruptibleUnits = m_interruptibleUnits}};
}

}  // namespace heapscape::engine
