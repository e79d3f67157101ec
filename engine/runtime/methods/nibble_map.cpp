// SPDX-License-Identifier: MIT
#include "runtime/methods/nibble_map.h"

#include <optional>

#include "base/limits.h"

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

}  // namespace heapscape::engine
