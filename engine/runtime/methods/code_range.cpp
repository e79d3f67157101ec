// SPDX-License-Identifier: MIT
#include "runtime/methods/code_range.h"

#include <algorithm>
#include <unordered_set>

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

/// One RangeSectionFragment: a part of a range that lies within one piece.
struct Fragment {
  AddressRange range;
  Address section;
  Address next;
};

std::optional<Fragment> readFragment(const ClrRuntime& runtime, Address fragment) {
  const auto start = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeBegin");
  const auto end = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeEndOpen");
  const auto section = runtime.pointerAt(fragment, "RangeSectionFragment", "RangeSection");
  const auto next = runtime.pointerAt(fragment, "RangeSectionFragment", "Next");
  if (!start || !end || !section || !next) return std::nullopt;
  return Fragment{{*start, *end}, *section, {next->value & ~kCollectibleBit}};
}

std::optional<CodeRange> readSection(const ClrRuntime& runtime, Address section, AddressRange range) {
  const auto flags = runtime.valueAt<std::uint32_t>(section, "RangeSection", "Flags");
  const auto heap = runtime.pointerAt(section, "RangeSection", "HeapList");
  const auto module = runtime.pointerAt(section, "RangeSection", "R2RModule");
  if (!flags || !heap || !module) return std::nullopt;
  const bool isHeap = (*flags & runtime.contract().constant("RangeSection.IsCodeHeap")) != 0;
  return CodeRange{range, isHeap ? *heap : Address{}, *module};
}

/// Walks the whole map; every table of it is read once, so that a damaged one ends too.
class MapWalk {
 public:
  explicit MapWalk(const ClrRuntime& runtime) : m_runtime(runtime) {}

  std::vector<CodeRange> read() {
    const auto map = m_runtime.globalPointer("CodeRangeMap");
    const auto levels = static_cast<unsigned>(m_runtime.contract().constant("RangeSectionMap.Levels"));
    if (!map || !*map || levels == 0 || levels > kMaximumLevels) return {};
    std::vector<Address> tables{m_runtime.member(*map, "RangeSectionMap", "TopLevelData")};
    for (unsigned level = 0; level < levels; ++level) tables = entriesOf(tables);
    for (const Address fragment : tables) readFragments(fragment);
    std::sort(m_ranges.begin(), m_ranges.end(),
              [](const CodeRange& left, const CodeRange& right) { return left.range.start < right.range.start; });
    return std::move(m_ranges);
  }

 private:
  static constexpr unsigned kMaximumLevels = 6;
  static constexpr std::size_t kMaximumTables = 100'000;

  std::vector<Address> entriesOf(const std::vector<Address>& tables) {
    std::vector<Address> entries;
    for (const Address table : tables) {
      for (std::uint64_t i = 0; i < 1u << kBitsPerLevel && entries.size() < kMaximumTables; ++i) {
        Address entry;
        if (!m_runtime.memory().tryRead(table + 8 * i, entry)) break;
        entry.value &= ~kCollectibleBit;
        if (entry && m_seen.insert(entry).second) entries.push_back(entry);
      }
    }
    return entries;
  }

  void readFragments(Address address) {
    for (std::size_t count = 0; address && count < kLimits.codeRangesOfPiece; ++count) {
      const auto fragment = readFragment(m_runtime, address);
      if (!fragment) return;
      if (m_sections.insert(fragment->section).second) {
        const auto start = m_runtime.pointerAt(fragment->section, "RangeSection", "RangeBegin");
        const auto end = m_runtime.pointerAt(fragment->section, "RangeSection", "RangeEndOpen");
        if (start && end)
          if (const auto range = readSection(m_runtime, fragment->section, {*start, *end})) m_ranges.push_back(*range);
      }
      address = fragment->next;
    }
  }

  const ClrRuntime& m_runtime;
  std::unordered_set<Address> m_seen;
  std::unordered_set<Address> m_sections;
  std::vector<CodeRange> m_ranges;
};

}  // namespace

std::optional<CodeRange> findCodeRange(const ClrRuntime& runtime, Address address) {
  Address current = firstFragment(runtime, address);
  for (std::size_t seen = 0; current && seen < kLimits.codeRangesOfPiece; ++seen) {
    const auto fragment = readFragment(runtime, current);
    if (!fragment) return std::nullopt;
    if (fragment->range.contains(address)) return readSection(runtime, fragment->section, fragment->range);
    current = fragment->next;
  }
  return std::nullopt;
}

std::vector<CodeRange> allCodeRanges(const ClrRuntime& runtime) {
  return MapWalk(runtime).read();
}

}  // namespace heapscape::engine
