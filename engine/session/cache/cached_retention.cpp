// SPDX-License-Identifier: MIT
#include "session/cache/cached_retention.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "session/cache/cache_file.h"

namespace heapscape::engine {
namespace {

// Sections of the file.
enum : std::size_t {
  kRecord,
  kRows,
  kWideStarts,
  kTargets,
  kUnits,
  kLargeObjects,
  kNumbers,
  kVertices,
  kDominators,
  kBytes,
  kLargeBytes,
  kObjects,
  kLargeCounts,
  kSections
};

using LargeUnits = MostlySmall<std::uint16_t>::Large;
using LargeCount = MostlySmall<std::uint8_t>::Large;

template <class T>
Bytes bytesOf(std::span<const T> elements) {
  return std::as_bytes(elements);
}

/// The elements of a block, and the index of the first.
template <class T>
struct Elements {
  std::size_t first;
  std::span<const T> values;
};

template <class T = std::uint32_t>
Elements<T> elementsOf(std::size_t firstByte, Bytes block) {
  return {firstByte / sizeof(T), {reinterpret_cast<const T*>(block.data()), block.size() / sizeof(T)}};
}

/// Calls isWrong(index, value) for all, without a branch for each.
template <class T, class IsWrong>
bool isNoneWrong(const Elements<T>& elements, IsWrong isWrong) {
  bool isAnyWrong = false;
  const auto first = static_cast<std::uint32_t>(elements.first);
  const auto count = static_cast<std::uint32_t>(elements.values.size());
  for (std::uint32_t i = 0; i < count; ++i) isAnyWrong |= isWrong(first + i, elements.values[i]);
  return !isAnyWrong;
}

CacheFile::BlockCheck below(std::size_t end) {
  return [end](std::size_t firstByte, Bytes block) {
    return isNoneWrong(elementsOf(firstByte, block),
                       [end](std::uint32_t, std::uint32_t value) { return value >= end; });
  };
}

/// The arrays of a file, in whatever sizes they have there.
class RetentionFile {
  using Numbers = std::span<const std::uint32_t>;
  using Counts = MostlySmall<std::uint8_t>;

 public:
  RetentionFile(const std::shared_ptr<const CacheFile>& file, std::uint32_t objects, std::uint32_t roots)
      : m_file(file), m_objects(objects), m_roots(roots) {}

  std::optional<CachedRetention> read(const std::stop_token& stop) {
    if (m_file->sectionCount() != kSections || !findArrays() || !isIntact(stop)) return std::nullopt;
    RecordReader record(m_file->section(kRecord));
    auto graph = std::make_shared<ReferenceGraph>();
    graph->rows = StoredRows::viewOf(m_lines, m_arrays[kWideStarts], m_objects);
    graph->targets = LargeArray<std::uint32_t>::viewOf(m_arrays[kTargets]);
    graph->units = ObjectUnits::viewOf(m_units, m_largeObjects);
    graph->file = m_file;
    graph->damagedReferences = record.read<std::uint64_t>();
    graph->findings = record.readFindings();
    CachedRetention read;
    read.damage = record.readFindings();
    if (!record.isDone()) return std::nullopt;
    read.graph = std::move(graph);
    read.tree = DominatorTree::ofArrays(m_objects, {m_arrays[kNumbers], m_arrays[kVertices], m_arrays[kDominators]});
    read.sizes.bytes = *std::move(m_retainedBytes);
    read.sizes.objects = *std::move(m_retainedCounts);
    return read;
  }

 private:
  bool findArrays() {
    const std::size_t vertices = std::size_t{m_objects} + m_roots;
    const std::size_t numbers = m_file->section(kVertices).size() / sizeof(std::uint32_t);
    // Number 0 is the whole, and the roots are reached in any case.
    if (numbers < std::size_t{m_roots} + 1 || numbers > vertices + 1) return false;
    return findRetainedBytes(numbers) && findRows() && findUnits() && find(kTargets, edgeCount()) &&
           find(kNumbers, vertices) && find(kVertices, numbers) && find(kDominators, numbers) &&
           findRetainedCounts(numbers);
  }

  std::size_t edgeCount() const { return m_file->section(kTargets).size() / sizeof(std::uint32_t); }

  bool findRows() {
    const auto lines = m_file->array<RowLine>(kRows, StoredRows::lineCountOf(m_objects));
    if (!lines) return false;
    m_lines = *lines;
    const auto wide = static_cast<std::size_t>(std::ranges::count_if(m_lines, &RowLine::isWide));
    return find(kWideStarts, wide * RowLine::kVertices);
  }

  bool findUnits() {
    const auto units = m_file->array<std::uint16_t>(kUnits, m_objects);
    if (!units) return false;
    m_units = *units;
    const auto large = m_file->array<ObjectUnits::LargeObject>(
        kLargeObjects, static_cast<std::size_t>(std::ranges::count(m_units, ObjectUnits::kLarge)));
    if (large) m_largeObjects = *large;
    return large.has_value();
  }

  /// In any of the sizes that there are.
  bool findRetainedBytes(std::size_t numbers) {
    if (auto units = findMostlySmall<std::uint16_t>(kBytes, kLargeBytes, numbers)) {
      m_retainedBytes.emplace(*std::move(units));
    } else if (const auto wide = m_file->array<std::uint64_t>(kBytes, numbers)) {
      m_retainedBytes.emplace(LargeArray<std::uint64_t>::viewOf(*wide));
    }
    return m_retainedBytes.has_value();
  }

  bool findRetainedCounts(std::size_t numbers) {
    m_retainedCounts = findMostlySmall<std::uint8_t>(kObjects, kLargeCounts, numbers);
    return m_retainedCounts.has_value();
  }

  template <class Small>
  std::optional<MostlySmall<Small>> findMostlySmall(std::size_t section, std::size_t largeSection,
                                                    std::size_t numbers) const {
    using Numbers = MostlySmall<Small>;
    const auto small = m_file->array<Small>(section, numbers);
    if (!small) return std::nullopt;
    const auto large = m_file->array<typename Numbers::Large>(
        largeSection, m_file->section(largeSection).size() / sizeof(typename Numbers::Large));
    return large ? Numbers::viewOf(*small, *large) : std::nullopt;
  }

  bool find(std::size_t section, std::size_t size) {
    const auto found = m_file->array<std::uint32_t>(section, size);
    if (found) m_arrays[section] = *found;
    return found.has_value();
  }

  bool isIntact(const std::stop_token& stop) const {
    const auto numbers = m_arrays[kVertices].size();
    std::array<CacheFile::BlockCheck, kSections> checks{};
    checks[kRows] = [this](std::size_t firstByte, Bytes block) { return areRowsGood(firstByte, block); };
    checks[kTargets] = below(m_objects);
    checks[kNumbers] = below(numbers);
    checks[kVertices] = below(std::max<std::size_t>(std::size_t{m_objects} + m_roots, 1));
    checks[kDominators] = [](std::size_t firstByte, Bytes block) {
      return isNoneWrong(elementsOf(firstByte, block), [](std::uint32_t number, std::uint32_t dominator) {
        return dominator >= number && number != 0;
      });
    };
    // All that an object dominates lies right behind it, itself included.
    checks[kObjects] = [this, numbers](std::size_t firstByte, Bytes block) {
      return isNoneWrong(elementsOf<std::uint8_t>(firstByte, block), [&](std::uint32_t number, std::uint8_t small) {
        const std::uint32_t count = small < Counts::kLarge ? small : (*m_retainedCounts)[number];
        return count > numbers - number || (count == 0 && number != 0 && m_arrays[kVertices][number] < m_objects);
      });
    };
    return m_file->isIntact(checks, stop) && (numbers == 0 || m_arrays[kDominators][0] == 0);
  }

  /// Rows ascend from 0 to the number of targets.
  bool areRowsGood(std::size_t firstByte, Bytes block) const {
    const std::size_t first = firstByte / sizeof(RowLine);
    const std::size_t count = block.size() / sizeof(RowLine);
    bool areGood = first != 0 || m_lines[0].first == 0;
    for (std::size_t i = first; i < first + count; ++i) areGood &= isLineGood(i);
    return areGood;
  }

  bool isLineGood(std::size_t i) const {
    const RowLine& line = m_lines[i];
    const std::uint64_t end = i + 1 < m_lines.size() ? m_lines[i + 1].first : m_arrays[kTargets].size();
    if (!line.isWide()) return std::uint64_t{line.first} + line.edgesOf(RowLine::kVertices) == end;
    const Numbers wide = m_arrays[kWideStarts];
    if (wide.size() < RowLine::kVertices || line.placeOfStarts() > wide.size() - RowLine::kVertices) return false;
    const auto unused = std::span(line.counts).first(RowLine::kVertices - 1).subspan(sizeof(line.placeOfStarts()));
    if (std::ranges::any_of(unused, [](std::uint8_t byte) { return byte != 0; })) return false;
    const Numbers starts = wide.subspan(line.placeOfStarts(), RowLine::kVertices);
    return starts.front() == line.first && std::ranges::is_sorted(starts) && starts.back() <= end;
  }

  const std::shared_ptr<const CacheFile>& m_file;
  std::uint32_t m_objects;
  std::uint32_t m_roots;
  std::array<Numbers, kSections> m_arrays{};
  std::span<const RowLine> m_lines;
  std::span<const std::uint16_t> m_units;
  std::span<const ObjectUnits::LargeObject> m_largeObjects;
  std::optional<RetainedBytes> m_retainedBytes;
  std::optional<Counts> m_retainedCounts;
};

}  // namespace

CacheContents contentsOf(std::shared_ptr<const ReferenceGraph> graph, const FindingList& damage,
                         std::shared_ptr<const Retention> retention) {
  RecordWriter record;
  record.add(graph->damagedReferences).add(graph->findings).add(damage);
  const auto recorded = std::make_shared<const std::vector<std::byte>>(std::move(record).take());
  const auto largeBytes = std::make_shared<const std::vector<LargeUnits>>(retention->sizes.bytes.large());
  const auto largeCounts = std::make_shared<const std::vector<LargeCount>>(retention->sizes.objects.large());
  const DominatorTree::Arrays tree = retention->tree.arrays();
  CacheContents contents;
  contents.sections.resize(kSections);
  contents.sections[kRecord] = *recorded;
  contents.sections[kRows] = bytesOf(graph->rows.lines());
  contents.sections[kWideStarts] = bytesOf(graph->rows.wideStarts());
  contents.sections[kTargets] = bytesOf(graph->targets.elements());
  contents.sections[kUnits] = bytesOf(graph->units.small());
  contents.sections[kLargeObjects] = bytesOf(graph->units.large());
  contents.sections[kNumbers] = bytesOf(tree.numbers);
  contents.sections[kVertices] = bytesOf(tree.vertices);
  contents.sections[kDominators] = bytesOf(tree.dominators);
  contents.sections[kBytes] = retention->sizes.bytes.stored();
  contents.sections[kLargeBytes] = std::as_bytes(std::span(*largeBytes));
  contents.sections[kObjects] = bytesOf(retention->sizes.objects.small());
  contents.sections[kLargeCounts] = std::as_bytes(std::span(*largeCounts));
  contents.owners = {recorded, largeBytes, largeCounts, std::move(graph), std::move(retention)};
  return contents;
}

std::optional<CachedRetention> readRetention(const std::shared_ptr<const CacheFile>& file, std::uint32_t objects,
                                             std::uint32_t roots, const std::stop_token& stop) {
  return RetentionFile(file, objects, roots).read(stop);
}

CacheContents contentsOfTypes(std::shared_ptr<const Retention> retention) {
  return {.sections = {std::as_bytes(std::span(retention->types))}, .owners = {retention}};
}

std::optional<std::vector<RetainedOfType>> readRetainedTypes(const CacheFile& file, std::size_t types) {
  const auto found = file.array<RetainedOfType>(0, types);
  if (!found || !file.isIntact({}, {})) return std::nullopt;
  return std::vector<RetainedOfType>(found->begin(), found->end());
}

}  // namespace heapscape::engine
