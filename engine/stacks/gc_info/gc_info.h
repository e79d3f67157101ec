// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/contract/contract.h"
#include "stacks/gc_info/gc_liveness.h"
#include "stacks/gc_info/gc_slots.h"

namespace heapscape::engine {

/// How a version of .NET writes GC info and reads it (src/coreclr/inc/gcinfotypes.h, vm/gcinfodecoder.cpp).
struct GcInfoRules {
  bool hasReturnKind = false;
  bool hasPspSym = false;
  bool isContextFromCaller = false;  // the place of the generic context is counted from the caller's stack pointer
  int safePointBias = 0;             // from a return address to the offset that its safe point is listed under
  int abortedBias = 0;               // from where an exception interrupts a method to the offset that is looked up
  bool scratchAtSafePoint = false;   // scratch registers of a frame that runs are reported at safe points, too

  static GcInfoRules of(const Contract& contract);
};

/// Where a method keeps references, as the JIT compiler has written it for the garbage collector (GcInfoDecoder,
/// src/coreclr/vm/gcinfodecoder.cpp). Offsets are in bytes from the start of the method's code.
class GcInfo {
 public:
  /// Fails with NotInDump if memory is missing, else with Damaged.
  static Result<GcInfo> read(GcInfoBits bits, const GcInfoRules& rules);

  std::uint32_t codeLength() const { return m_codeLength; }
  /// What GcSlotBase::FrameBase counts from.
  std::optional<Register> frameBase() const { return m_frameBase; }
  /// At the end of the stack, for the arguments of calls: belongs to the methods called while a call is on.
  std::uint32_t scratchAreaBytes() const { return m_scratchAreaBytes; }
  /// Where a frame of shared generic code keeps what it was called for.
  struct ContextPlace {
    std::int32_t offset = 0;  // in bytes; from where, see GcInfoRules::isContextFromCaller
    bool isMethod = false;    // a MethodDesc, else a MethodTable
    std::uint32_t from = 0;   // written once the code has come here
  };
  /// Nothing for other code, and where `this` tells it.
  const std::optional<ContextPlace>& contextPlace() const { return m_contextPlace; }
  /// References of a method are reported by its innermost funclet alone.
  bool isReportedByLeafOnly() const { return m_isReportedByLeafOnly; }

  const GcSlotTable& slots() const { return m_slots; }
  /// Places of calls at which references are told, by the version's rules: see GcInfoRules::safePointBias.
  const std::vector<std::uint32_t>& safePoints() const { return m_safePoints; }
  struct Range {
    std::uint32_t start = 0;
    std::uint32_t end = 0;  // behind the last byte
  };
  /// Where references are told at every instruction; in order.
  const std::vector<Range>& interruptible() const { return m_interruptible; }

  std::optional<std::uint32_t> safePointAt(std::uint32_t offset) const;
  /// How many bytes of interruptible ranges lie in front of an offset that is in one of them.
  std::optional<std::uint32_t> interruptiblePlaceOf(std::uint32_t offset) const;
  /// Fails with NotInDump or Damaged.
  Result<std::vector<bool>> liveAtSafePoint(std::uint32_t index) const;
  Result<std::vector<bool>> liveAtPlace(std::uint32_t place) const;

 private:
  GcInfo() = default;
  // Each gives what makes no sense, or null.
  const char* readHead(GcInfoBits& bits, const GcInfoRules& rules);
  const char* readSafePoints(GcInfoBits& bits, std::uint32_t count);
  const char* readRanges(GcInfoBits& bits, std::uint32_t count);
  GcLiveness liveness() const;

  bool m_isFat = false;
  std::uint32_t m_codeLength = 0;
  std::optional<Register> m_frameBase;
  std::uint32_t m_scratchAreaBytes = 0;
  std::optional<ContextPlace> m_contextPlace;
  bool m_isReportedByLeafOnly = false;
  std::vector<std::uint32_t> m_safePoints;
  std::vector<Range> m_interruptible;
  std::uint32_t m_interruptibleBytes = 0;
  GcSlotTable m_slots;
  GcInfoBits m_behindSlots{Bytes{}};
};

}  // namespace heapscape::engine
