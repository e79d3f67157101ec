// SPDX-License-Identifier: MIT
#include "runtime/code_range.h"

#include "base/limits.h"

namespace heapscape::engine {
namespace {

// RangeSectionMap: a tree over the bits of an address, 256 branches on each level, down to pieces of 128 KiB.
constexpr unsigned kBitsPerLevel = 8;
constexpr unsigned kBitsOfPiece = 17;
// The lowest bit of a pointer in the map says that what it points at can be unloaded.
constexpr std::uint64_t kCollectibleBit = 1;

Address firstFragment(const ClrRuntime& runtime, Address address) {
  const auto map = runtime.globalPointer("CodeRangeMap");
  if (!map || !*map) return {};
  Address level = runtime.member(*map, "RangeSectionMap", "TopLevelData");
  const auto levels = static_cast<unsigned>(runtime.contract().constant("RangeSectionMap.Levels"));
  if (levels == 0 || (address.value >> (kBitsOfPiece + kBitsPerLevel * levels)) != 0) return {};
  for (unsigned depth = levels; depth > 0 && level; --depth) {
    const std::uint64_t index = address.value >> (kBitsOfPiece + kBitsPerLevel * (depth - 1)) & 0xff;
    if (!runtime.memory().tryRead(level + 8 * index, level)) return {};
    level.value &= ~kCollectibleBit;
  }
  return level;
}

}  // namespace

std::optional<CodeRange> findCodeRange(const ClrRuntime& runtime, Address address) {
  Address fragment = firstFragment(runtime, address);
  for (std::size_t seen = 0; fragment && seen < kLimits.codeRangesOfPiece; ++seen) {
    const auto start = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeBegin");
    const auto end = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeEndOpen");
    const auto section = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeSection");
    const auto next = runtime.pointerAt(fragment, "RangeSectionFragment", "Next");
    if (!start || !end || !section || !next) return std::nullopt;
    if (const AddressRange range{*start, *end}; range.contains(address)) {
      const auto flags = runtime.valueAt<std::uint32_t>(*section, "RangeSection", "Flags");
      const auto heap = runtime.pointerAt(*section, "RangeSection", "HeapList");
      const auto module = runtime.pointerAt(*section, "RangeSection", "R2RModule");
      if (!flags || !heap || !module) return std::nullopt;
      const bool isHeap = (*flags & runtime.contract().constant("RangeSection.IsCodeHeap")) != 0;
      return CodeRange{range, isHeap ? *heap : Address{}, *module};
    }
    fragment = {next->value & ~kCollectibleBit};
  }
  return std::nullopt;
}

}  // namespace heapscape::engine
