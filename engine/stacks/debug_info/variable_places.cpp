// SPDX-License-Identifier: MIT
#include "stacks/debug_info/variable_places.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

/// Whether a root is one of the places that a variable is in.
class PlaceOfRoot {
 public:
  PlaceOfRoot(const ManagedFrame& frame, const StackRoot& root) : m_frame(frame), m_root(root) {}

  bool isIn(const VariablePlace& place) const {
    using Kind = VariablePlace::Kind;
    switch (place.kind) {
      case Kind::Register:
      case Kind::RegisterHoldsPlace:
        return isRegister(place.first);
      case Kind::Stack:
      case Kind::StackHoldsPlace:
        return isSlot(place, 0);
      case Kind::TwoRegisters:
        return isRegister(place.first) || isRegister(place.second);
      case Kind::RegisterThenStack:
      case Kind::StackThenRegister:
        return isRegister(place.first) || isSlot(place, 0);
      case Kind::TwoStackSlots:
        return isSlot(place, 0) || isSlot(place, kPointerBytes);
      case Kind::FloatRegister:
      case Kind::Elsewhere:
        return false;
    }
    return false;
  }

 private:
  bool isRegister(std::optional<Register> reg) const { return reg && m_root.reg == reg; }

  bool isSlot(const VariablePlace& place, std::uint64_t further) const {
    if (m_root.reg || !place.base) return false;
    const std::uint64_t base = m_frame.registers[*place.base];
    return m_root.slot.value == base + static_cast<std::uint64_t>(std::int64_t{place.offset}) + further;
  }

  const ManagedFrame& m_frame;
  const StackRoot& m_root;
};

}  // namespace

std::uint32_t nativeOffsetOf(const ManagedFrame& frame) {
  const Address instruction = frame.registers.instruction;
  return instruction < frame.code.start ? 0 : static_cast<std::uint32_t>(instruction - frame.code.start);
}

// An instruction that faulted is the frame's own, and one that was interrupted has not begun.
bool isInCall(const ManagedFrame& frame) {
  return !frame.isFirst && !frame.isFaulted;
}

std::uint32_t decidingOffsetOf(const ManagedFrame& frame) {
  const std::uint32_t offset = nativeOffsetOf(frame);
  return isInCall(frame) && offset > 0 ? offset - 1 : offset;
}

std::optional<std::uint32_t> ilOffsetOf(const DebugInfo& info, const ManagedFrame& frame) {
  return ilOffsetAt(info, nativeOffsetOf(frame), isInCall(frame));
}

const VariablePlace* placeOf(const DebugInfo& info, const ManagedFrame& frame, std::int32_t variable) {
  const std::uint32_t offset = decidingOffsetOf(frame);
  const auto found = std::ranges::find_if(info.variables, [&](const VariablePlace& place) {
    return place.variable == variable && offset >= place.start && offset < place.end;
  });
  return found == info.variables.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> variableOf(const DebugInfo& info, const ManagedFrame& frame, const StackRoot& root) {
  const PlaceOfRoot placeOfRoot(frame, root);
  const std::uint32_t offset = decidingOffsetOf(frame);
  std::optional<std::uint32_t> found;
  for (const VariablePlace& place : info.variables) {
    if (place.variable < 0 || offset < place.start || offset >= place.end || !placeOfRoot.isIn(place)) continue;
    const auto variable = static_cast<std::uint32_t>(place.variable);
    if (found && *found != variable) return std::nullopt;
    found = variable;
  }
  return found;
}

}  // namespace heapscape::engine
