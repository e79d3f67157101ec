// SPDX-License-Identifier: MIT
#include "stacks/gc_info/frame_roots.h"

#include <fmt/format.h>

#include <algorithm>

#include "stacks/unwinding/unwind_info.h"

namespace heapscape::engine {
namespace {

constexpr const char* kNoPlace = "The method is at an instruction for which it has no GC info.";
constexpr const char* kNoFrameYet = "The method has not set up its frame yet.";

// IsScratchRegister, src/coreclr/vm/gcinfodecoder.cpp: on arm64 the frame pointer counts as one.
bool isScratch(Register reg) {
  return !isCalleeSaved(reg) || reg == arm64::kFp;
}

/// Collects the roots of one frame.
class FrameReader {
 public:
  FrameReader(const AddressSpace& memory, const GcInfoRules& rules, const ManagedFrame& frame, const GcInfo& info)
      : m_memory(memory),
        m_rules(rules),
        m_frame(frame),
        m_info(info),
        m_isActive(frame.isFirst && !frame.isInterrupted) {}

  FrameRoots read(bool withUntracked);

 private:
  void lookUp(std::uint32_t offset);
  void addTracked(const Result<std::vector<bool>>& live);
  void addUntracked();
  void addContext();
  bool isTold() const;
  bool isInProlog() const;
  Address placeOf(const GcSlot& slot) const;
  StackSlotBase baseOf(const GcSlot& slot) const;
  void addRegister(const GcSlot& slot);
  void addStackSlot(const GcSlot& slot, bool isScratchReported);
  void setProblem(std::string problem, bool isMissing = false);

  const AddressSpace& m_memory;
  const GcInfoRules& m_rules;
  const ManagedFrame& m_frame;
  const GcInfo& m_info;
  const bool m_isActive;
  bool m_isScratchReported = false;
  std::optional<std::uint32_t> m_safePoint;
  std::optional<std::uint32_t> m_place;
  FrameRoots m_roots;
};

FrameRoots FrameReader::read(bool withUntracked) {
  const Address instruction = m_frame.registers.instruction;
  const Address start = m_frame.code.start;
  if (instruction < start || instruction - start > m_info.codeLength()) {
    setProblem("The method's GC info does not reach as far as the instruction.");
    return std::move(m_roots);
  }
  addContext();
  lookUp(static_cast<std::uint32_t>(instruction - start));
  if (!isTold()) setProblem(m_isActive && isInProlog() ? kNoFrameYet : kNoPlace);
  if (m_safePoint)
    addTracked(m_info.liveAtSafePoint(*m_safePoint));
  else if (m_place)
    addTracked(m_info.liveAtPlace(*m_place));
  else if (!m_info.interruptible().empty())
    return std::move(m_roots);
  if (withUntracked) addUntracked();
  return std::move(m_roots);
}

// GcInfoDecoder and CrawlFrame::GetCodeManagerFlags of each version: src/coreclr/vm/gcinfodecoder.cpp, eetwain.cpp,
// gcenv.ee.common.cpp.
void FrameReader::lookUp(std::uint32_t offset) {
  // Before .NET 10 offsets count bytes, so that what is looked up need not be that of an instruction.
  std::int64_t place = offset >> m_rules.codeOffsetShift;
  if (m_frame.isInterrupted) {
    if (!m_frame.isFaulted) place += m_rules.abortedBias;
  } else if (m_isActive && m_info.interruptiblePlaceOf(static_cast<std::uint32_t>(place))) {
    m_isScratchReported = true;
  } else {
    place += m_rules.safePointBias;
    if (place >= 0) m_safePoint = m_info.safePointAt(static_cast<std::uint32_t>(place));
    m_isScratchReported = m_isActive && m_rules.scratchAtSafePoint && m_safePoint;
  }
  if (place >= 0 && !m_safePoint) m_place = m_info.interruptiblePlaceOf(static_cast<std::uint32_t>(place));
}

void FrameReader::addTracked(const Result<std::vector<bool>>& live) {
  if (!live) {
    setProblem(live.error().what, live.error().code == ErrorCode::NotInDump);
    return;
  }
  const auto slots = m_info.slots().tracked();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!(*live)[i]) continue;
    if (slots[i].reg)
      addRegister(slots[i]);
    else
      addStackSlot(slots[i], m_isScratchReported);
  }
}

void FrameReader::addUntracked() {
  for (const GcSlot& slot : m_info.slots().untracked()) addStackSlot(slot, true);
}

// SafeToReportGenericParamContext, src/coreclr/vm/gcenv.ee.common.cpp.
void FrameReader::addContext() {
  const auto& place = m_info.contextPlace();
  if (!place) return;
  const Address written = m_frame.code.start + place->from;
  if ((m_isActive || m_frame.isInterrupted) && m_frame.registers.instruction < written) return;
  const auto offset = static_cast<std::uint64_t>(std::int64_t{place->offset});
  // Where it is not the caller's stack pointer it is what other slots of the frame are counted from.
  const Address base = m_rules.isContextFromCaller ? m_frame.callerStackPointer
                       : m_info.frameBase()        ? Address{m_frame.registers[*m_info.frameBase()]}
                                                   : m_frame.registers.stackPointer();
  const auto handle = m_memory.readPointer(base + offset);
  if (handle && *handle) m_roots.context = {*handle, place->isMethod};
}

// Whether the method's references are known where it is. The runtime asks only at such places, and takes no more than
// what is untracked at others.
bool FrameReader::isTold() const {
  // What an exception has left will not be used any more, unless the method can be interrupted there.
  if (m_frame.isInterrupted || m_place) return true;
  // On .NET 8 safe points are for calls: they do not tell a value that was just returned.
  if (m_safePoint) return !m_isActive || m_rules.scratchAtSafePoint;
  // Since .NET 9 code that is not optimised has no safe points for calls behind which only untracked slots matter; what
  // it tracks are registers with returned values.
  const auto isScratchSlot = [](const GcSlot& slot) { return slot.reg && isScratch(*slot.reg); };
  return !m_isActive && m_info.interruptible().empty() && std::ranges::all_of(m_info.slots().tracked(), isScratchSlot);
}

bool FrameReader::isInProlog() const {
  const CodeLocation& code = m_frame.code;
  if (!code.function) return false;
  const std::uint32_t bytes = prologueBytes(m_memory, code, m_rules.architecture);
  return m_frame.registers.instruction < code.imageBase + code.function->begin + bytes;
}

Address FrameReader::placeOf(const GcSlot& slot) const {
  const auto offset = static_cast<std::uint64_t>(std::int64_t{slot.offset});
  switch (slot.base) {
    case GcSlotBase::CallerStackPointer:
      return m_frame.callerStackPointer + offset;
    case GcSlotBase::StackPointer:
      return m_frame.registers.stackPointer() + offset;
    case GcSlotBase::FrameBase:
      break;
  }
  return Address{m_frame.registers[*m_info.frameBase()]} + offset;
}

StackSlotBase FrameReader::baseOf(const GcSlot& slot) const {
  const bool isFrame = slot.base == GcSlotBase::FrameBase;
  return {.reg = isFrame ? *m_info.frameBase() : registerFile(m_rules.architecture).stackPointer,
          .isOfCaller = slot.base == GcSlotBase::CallerStackPointer,
          .offset = slot.offset};
}

void FrameReader::addRegister(const GcSlot& slot) {
  if (isScratch(*slot.reg) && !m_isScratchReported) return;
  if (!isScratch(*slot.reg) && !m_frame.registers.isKnown(*slot.reg)) {
    setProblem(
        fmt::format("A reference is in {}, which code that it has called may have put away.", toString(*slot.reg)));
    return;
  }
  const Address object{m_frame.registers[*slot.reg]};
  if (!object) return;
  m_roots.roots.push_back({.slot = m_frame.registers.savedPlace(*slot.reg),
                           .reg = slot.reg,
                           .object = object,
                           .isInterior = slot.isInterior,
                           .isPinned = slot.isPinned});
}

void FrameReader::addStackSlot(const GcSlot& slot, bool isScratchReported) {
  const Address place = placeOf(slot);
  const Address stackPointer = m_frame.registers.stackPointer();
  if (!isScratchReported && place < stackPointer + m_info.scratchAreaBytes()) return;
  Address object;
  if (place < stackPointer) {
    setProblem("The method's GC info leads to memory below its stack.");
  } else if (!m_memory.tryRead(place, object)) {
    setProblem(fmt::format("The dump lacks the stack at {}.", toString(place)), true);
  } else if (object) {
    m_roots.roots.push_back({.slot = place,
                             .base = baseOf(slot),
                             .object = object,
                             .isInterior = slot.isInterior,
                             .isPinned = slot.isPinned});
  }
}

void FrameReader::setProblem(std::string problem, bool isMissing) {
  if (!m_roots.problem.empty()) return;
  m_roots.problem = std::move(problem);
  m_roots.isMissing = isMissing;
}

}  // namespace

FrameRoots ManagedFrameRoots::of(const ManagedFrame& frame, bool isParentOfFunclet) const {
  if (!frame.code.gcInfo)
    return {.roots = {}, .problem = "The dump does not show where the method's GC info is.", .isMissing = true};
  const auto info = GcInfo::read(GcInfoBits(m_runtime.memory(), frame.code.gcInfo), m_rules);
  if (!info) {
    const bool isMissing = info.error().code == ErrorCode::NotInDump;
    return {.roots = {}, .problem = info.error().what, .isMissing = isMissing};
  }
  if (isParentOfFunclet && info->isReportedByLeafOnly()) return {};
  // A filter runs while its method still has its own frame, which reports what is untracked.
  return FrameReader(m_runtime.memory(), m_rules, frame, *info).read(!isParentOfFunclet && !frame.isFilter);
}

}  // namespace heapscape::engine
