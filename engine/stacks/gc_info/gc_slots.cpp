// SPDX-License-Identifier: MIT
#include "stacks/gc_info/gc_slots.h"

#include <fmt/format.h>

namespace heapscape::engine {
namespace {

// A method has hardly ever a hundred.
constexpr std::uint64_t kMostSlots = 16'384;

// Widths of src/coreclr/inc/gcinfotypes.h for AMD64.
constexpr unsigned kRegisterCountBase = 2;
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

Result<GcSlotTable> GcSlotTable::read(GcInfoBits& bits, bool hasFrameBase) {
  const std::uint32_t registers = bits.readFlag() ? bits.readUnsigned(kRegisterCountBase) : 0;
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
  table.readRegisters(bits, registers);
  table.readStackSlots(bits, tracked, lastBase);
  table.m_trackedCount = table.m_slots.size();
  table.readStackSlots(bits, untracked, lastBase);
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (table.m_isDamaged) return tl::unexpected(damagedGcInfo("it has a slot that is no place of a reference"));
  return table;
}

// Each slot follows the one before; only behind one with flags the place is written anew.
void GcSlotTable::readRegisters(GcInfoBits& bits, std::uint32_t count) {
  std::uint64_t number = 0;
  std::uint32_t flags = 0;
  for (std::uint32_t i = 0; i < count && !m_isDamaged && !bits.failed(); ++i) {
    if (i == 0 || flags != 0) {
      number = bits.readUnsigned(kRegisterBase);
      flags = bits.read(kSlotFlagBits);
    } else {
      number += std::uint64_t{bits.readUnsigned(kRegisterDeltaBase)} + 1;
    }
    const auto reg = static_cast<Register>(number);
    if (number >= kRegisterCount || reg == Register::Rsp) m_isDamaged = true;
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

}  // namespace heapscape::engine
