// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
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

/// All slots of a method.
class GcSlotTable {
 public:
  /// `hasFrameBase`: the method has a register that slots can count from. Fails with NotInDump or Damaged.
  static Result<GcSlotTable> read(GcInfoBits& bits, bool hasFrameBase);

  /// Those that hold a reference in parts of the method, as its liveness tells.
  std::span<const GcSlot> tracked() const { return std::span(m_slots).first(m_trackedCount); }
  /// Those that hold a reference, or null, wherever the method is.
  std::span<const GcSlot> untracked() const { return std::span(m_slots).subspan(m_trackedCount); }

 private:
  void readRegisters(GcInfoBits& bits, std::uint32_t count);
  void readStackSlots(GcInfoBits& bits, std::uint32_t count, GcSlotBase lastBase);

  std::vector<GcSlot> m_slots;  // tracked registers, tracked stack slots, untracked stack slots
  std::size_t m_trackedCount = 0;
  bool m_isDamaged = false;
};

/// Why GC info could not be read: NotInDump or Damaged.
Error unreadableGcInfo(const GcInfoBits& bits);
Error damagedGcInfo(const char* why);

}  // namespace heapscape::engine
