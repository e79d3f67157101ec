// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "runtime/contract/contract.h"
#include "runtime/methods/gc_info_bits.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// What the place of a reference on the stack counts from (GcStackSlotBase, src/coreclr/inc/gcinfotypes.h).
enum class GcSlotBase : std::uint8_t { CallerStackPointer, StackPointer, FrameBase };

/// A register or a place on the stack that holds a reference somewhere in a method.
struct GcSlot {
  std::optional<Register> reg = {};
  GcSlotBase base = GcSlotBase::CallerStackPointer;  // this and the offset only without a register
  std::int32_t offset = 0;
  bool isInterior = false;
  bool isPinned = false;
};

/// How a version of .NET writes GC info for a processor and reads it (src/coreclr/inc/gcinfotypes.h,
/// vm/gcinfodecoder.cpp).
struct GcInfoRules {
  Architecture architecture = Architecture::X64;
  bool hasReturnKind = false;
  bool hasPspSym = false;
  bool isContextFromCaller = false;  // the place of the generic context is counted from the caller's stack pointer
  int safePointBias = 0;             // from a return address to the offset that its safe point is listed under
  int abortedBias = 0;               // from where an exception interrupts a method to the offset that is looked up
  bool scratchAtSafePoint = false;   // scratch registers of a frame that runs are reported at safe points, too
  bool alwaysOnlyLeaf = false;       // the flag for what only the innermost funclet reports means something else
  bool hasFixedFrameSize = false;    // follows the size of the area that edit and continue keeps
  unsigned codeLengthShift = 0;      // lengths of code are divided by 2 to this power, as instructions are aligned
  unsigned codeOffsetShift = 0;      // offsets in code likewise
  unsigned frameBaseBits = 3;        // of the groups that the frame base register is written in
  std::uint32_t frameBase = 5;       // its usual number, which is written as 0
  unsigned safePointCountBits = 2;
  unsigned registerCountBits = 2;

  static GcInfoRules of(const Contract& contract);
};

/// All slots of a method.
class GcSlotTable {
 public:
  /// `hasFrameBase`: the method has a register that slots can count from. Fails with NotInDump or Damaged.
  static Result<GcSlotTable> read(GcInfoBits& bits, bool hasFrameBase, const GcInfoRules& rules);

  /// Those that hold a reference in parts of the method, as its liveness tells.
  std::span<const GcSlot> tracked() const { return std::span(m_slots).first(m_trackedCount); }
  /// Those that hold a reference, or null, wherever the method is.
  std::span<const GcSlot> untracked() const { return std::span(m_slots).subspan(m_trackedCount); }

 private:
  void readRegisters(GcInfoBits& bits, std::uint32_t count, Architecture architecture);
  void readStackSlots(GcInfoBits& bits, std::uint32_t count, GcSlotBase lastBase);

  std::vector<GcSlot> m_slots;  // tracked registers, tracked stack slots, untracked stack slots
  std::size_t m_trackedCount = 0;
  bool m_isDamaged = false;
};

/// Why GC info could not be read: NotInDump or Damaged.
Error unreadableGcInfo(const GcInfoBits& bits);
Error damagedGcInfo(const char* why);

/// Where in a method which tracked slots hold references (GcInfoDecoder::EnumerateLiveSlots,
/// src/coreclr/vm/gcinfodecoder.cpp).
class GcLiveness {
 public:
  struct Shape {
    std::uint32_t trackedSlots = 0;
    std::uint32_t safePoints = 0;
    std::uint32_t interruptibleUnits = 0;  // of all interruptible ranges together
  };

  /// `bits` are behind the slot table.
  GcLiveness(const GcInfoBits& bits, Shape shape) : m_bits(bits), m_shape(shape) {}

  /// A flag for each tracked slot. Fails with NotInDump or Damaged.
  Result<std::vector<bool>> atSafePoint(std::uint32_t index) const;
  /// The live slots where the code can be interrupted; `place` counts only units of code that can.
  Result<std::vector<bool>> atInterruptible(std::uint32_t place) const;

 private:
  GcInfoBits m_bits;
  Shape m_shape;
};

/// What the head of GC info says beside what finding references needs. Places are bytes from the caller's stack
/// pointer, that of the PSPSym on x64 from the method's own.
struct GcInfoHead {
  bool hasVariableArguments = false;
  std::uint32_t prologBytes = 0;              // 0 where nothing counts from its end
  std::optional<std::int32_t> gsCookie = {};  // that overruns of buffers are told by
  std::uint32_t gsCookieStart = 0;            // offsets in the code between which it is there
  std::uint32_t gsCookieEnd = 0;
  std::optional<std::int32_t> pspSym = {};  // by which funclets find the frame of their method, until .NET 9
  std::optional<std::int32_t> genericContext = {};
  bool isContextMethod = false;    // of that: a MethodDesc
  bool isContextThis = false;      // of that: `this`
  std::uint32_t returnKind = 0;    // as GcInfoStart has it
  bool hasFlagOfFunclets = false;  // on x64: its innermost funclet alone reports; on arm64: tail calls
};

/// Where a method keeps references, as the JIT compiler has written it for the garbage collector (GcInfoDecoder,
/// src/coreclr/vm/gcinfodecoder.cpp). Offsets are in bytes from the start of the method's code, but for those of safe
/// points and interruptible ranges, which count in units of GcInfoRules::codeOffsetShift.
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
  const GcInfoHead& head() const { return m_head; }
  /// References of a method are reported by its innermost funclet alone.
  bool isReportedByLeafOnly() const { return m_isReportedByLeafOnly; }

  const GcSlotTable& slots() const { return m_slots; }
  /// Places of calls at which references are told, by the version's rules: see GcInfoRules::safePointBias.
  const std::vector<std::uint32_t>& safePoints() const { return m_safePoints; }
  struct Range {
    std::uint32_t start = 0;
    std::uint32_t end = 0;  // behind the last one
  };
  /// Where references are told at every instruction; in order.
  const std::vector<Range>& interruptible() const { return m_interruptible; }

  std::optional<std::uint32_t> safePointAt(std::uint32_t offset) const;
  /// How many units of interruptible ranges lie in front of an offset that is in one of them.
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
  GcInfoHead m_head;
  std::uint32_t m_codeLength = 0;
  std::uint32_t m_codeUnits = 0;  // that offsets count in
  std::optional<Register> m_frameBase;
  std::uint32_t m_scratchAreaBytes = 0;
  std::optional<ContextPlace> m_contextPlace;
  bool m_isReportedByLeafOnly = false;
  std::vector<std::uint32_t> m_safePoints;
  std::vector<Range> m_interruptible;
  std::uint32_t m_interruptibleUnits = 0;
  GcSlotTable m_slots;
  GcInfoBits m_behindSlots{Bytes{}};
};

}  // namespace heapscape::engine
