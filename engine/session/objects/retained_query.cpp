// SPDX-License-Identifier: MIT
#include "session/objects/retained_query.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "graph/retained/retained_parts.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

class RetainedReader {
 public:
  explicit RetainedReader(const Snapshot& snapshot) : m_contents(snapshot.contents()) {}

  RetainedRow rowOf(ObjectId id) const {
    const std::uint32_t number = tree().numberOf(id.value);
    RetainedRow row;
    row.object = m_contents.heap->index.addressOf(id);
    row.type = typeOfObject(m_contents, id.value);
    row.bytes = m_contents.graph->bytesOf(id.value);
    row.isReachable = number != 0;
    row.isGarbage = !number && m_contents.retention->isGarbage(id.value);
    if (!number) return row;
    row.retainedBytes = m_contents.retention->sizes.bytes[number];
    row.retainedCount = m_contents.retention->sizes.objects[number];
    if (const std::uint32_t dominator = tree().dominatingObjectOf(number))
      row.dominator = m_contents.heap->index.addressOf({tree().vertexOf(dominator)});
    return row;
  }

  std::vector<RetainedRow> largest(std::size_t limit) const {
    constexpr std::uint32_t kParts = 16;
    const std::uint64_t reached = tree().reachedCount();
    std::vector<std::vector<std::uint32_t>> parts(kParts);
    tbb::parallel_for(0u, kParts, [&](std::uint32_t part) {
      const auto startOf = [&](std::uint32_t i) { return static_cast<std::uint32_t>(1 + reached * i / kParts); };
      parts[part] = largestBetween(startOf(part), startOf(part + 1), limit);
    });
    std::vector<std::uint32_t> numbers;
    for (const auto& part : parts) numbers.insert(numbers.end(), part.begin(), part.end());
    std::ranges::sort(numbers, [this](std::uint32_t a, std::uint32_t b) { return isLarger(a, b); });
    numbers.resize(std::min(numbers.size(), limit));
    std::vector<RetainedRow> rows;
    for (const std::uint32_t number : numbers) rows.push_back(rowOf({tree().vertexOf(number)}));
    return rows;
  }

  Retained retainedBy(std::uint32_t number) const {
    const RetainedSizes& sizes = m_contents.retention->sizes;
    return {sizes.objects[number], sizes.bytes[number]};
  }

 private:
  const DominatorTree& tree() const { return m_contents.retention->tree; }

  bool isLarger(std::uint32_t a, std::uint32_t b) const {
    const RetainedBytes& bytes = m_contents.retention->sizes.bytes;
    return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : tree().vertexOf(a) < tree().vertexOf(b);
  }

  // Those of a range of numbers, in any order.
  std::vector<std::uint32_t> largestBetween(std::uint32_t first, std::uint32_t end, std::size_t limit) const {
    const auto isBefore = [this](std::uint32_t a, std::uint32_t b) { return isLarger(a, b); };
    const RetainedBytes& bytes = m_contents.retention->sizes.bytes;
    std::vector<std::uint32_t> largest;  // a heap, the smallest on top
    std::uint64_t least = 0;             // that it takes to be among them
    for (std::uint32_t number = first; number < end && limit > 0; ++number) {
      if (bytes[number] < least) continue;
      if (largest.size() == limit && !isLarger(number, largest.front())) continue;
      if (!tree().isObject(tree().vertexOf(number))) continue;
      if (largest.size() == limit) {
        std::ranges::pop_heap(largest, isBefore);
        largest.pop_back();
      }
      largest.push_back(number);
      std::ranges::push_heap(largest, isBefore);
      if (largest.size() == limit) least = bytes[largest.front()];
    }
    return largest;
  }

  const Contents& m_contents;
};

std::vector<RetainedTypeRow> typeRows(const Snapshot& snapshot) {
  std::vector<RetainedTypeRow> rows;
  const std::vector<RetainedOfType>& types = snapshot.typeRetained();
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (types[i].instances) rows.push_back({{i}, types[i].instances, types[i].bytes, types[i].retainedBytes});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RetainedTypeRow& a, const RetainedTypeRow& b) {
    return a.retainedBytes > b.retainedBytes;
  });
  return rows;
}

}  // namespace

RetainedList largestRetained(const Snapshot& snapshot, std::size_t limit) {
  if (!snapshot.has(Stage::Retained)) return {};
  RetainedList list;
  list.objects = RetainedReader(snapshot).largest(limit);
  list.types = typeRows(snapshot);
  list.totals = snapshot.retainedTotals();
  list.findings = snapshot.roots().findings;
  return list;
}

std::optional<RetainedRow> retainedOf(const Snapshot& snapshot, Address object) {
  if (!snapshot.has(Stage::Retained)) return std::nullopt;
  const ObjectId id = snapshot.contents().heap->index.idOf(object);
  if (id.isNone()) return std::nullopt;
  return RetainedReader(snapshot).rowOf(id);
}

std::uint64_t retainedBytesOf(const Snapshot& snapshot, ObjectId object) {
  if (!snapshot.has(Stage::Retained) || object.isNone()) return 0;
  const Retention& retention = *snapshot.contents().retention;
  const std::uint32_t number = retention.tree.numberOf(object.value);
  return number ? retention.sizes.bytes[number] : 0;
}

std::optional<std::uint64_t> retainedBytesAt(const Snapshot& snapshot, Address object) {
  if (!snapshot.has(Stage::Retained)) return std::nullopt;
  const ObjectId id = snapshot.contents().heap->index.idOf(object);
  if (id.isNone()) return std::nullopt;
  return retainedBytesOf(snapshot, id);
}

Retained retainedByRoot(const Snapshot& snapshot, std::uint32_t root) {
  if (root >= snapshot.roots().roots.size()) return {};
  return RetainedReader(snapshot).retainedBy(snapshot.contents().retention->numberOfRoot(root));
}

Retained retainedByGroup(const Snapshot& snapshot, std::uint32_t group) {
  if (group >= snapshot.roots().groups.size()) return {};
  return RetainedReader(snapshot).retainedBy(snapshot.contents().retention->numberOfGroup(group));
}

std::optional<Retained> retainedByThread(const Snapshot& snapshot, Address thread) {
  const std::vector<RootGroup>& groups = snapshot.roots().groups;
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const RootGroup& g) { return g.owner == thread; });
  if (group == groups.end()) return std::nullopt;
  return retainedByGroup(snapshot, static_cast<std::uint32_t>(group - groups.begin()));
}

Outcome<RetainedSet> retainedOfSet(const Snapshot& snapshot, const ObjectSet& set, ProgressSink* progress,
                                   std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return RetainedSet{};
  HEAPSCAPE_TRY(const std::vector<bool> isMember, membersOf(snapshot, set, stop));
  return retainedOfMembers(snapshot, isMember, progress, std::move(stop));
}

Outcome<RetainedSet> retainedOfMembers(const Snapshot& snapshot, const std::vector<bool>& isMember,
                                       ProgressSink* progress, std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return RetainedSet{};
  const Contents& contents = snapshot.contents();
  const ObjectIndex& index = contents.heap->index;
  std::vector<std::uint32_t> roots;
  for (const RootRow& root : contents.retention->roots.roots) {
    if (const ObjectId id = index.idOf(root.object); !id.isNone()) roots.push_back(id.value);
  }
  StageProgress counting(progress, "counting what is held by nothing else", 0, 1);
  const auto totals = addUpRetainedSet(*contents.graph, contents.retention->tree, contents.retention->sizes, roots,
                                       isMember, counting, stop);
  if (!totals) return tl::unexpected(Unfinished::cancelled());
  return RetainedSet{{totals->memberObjects, totals->memberBytes}, {totals->retainedObjects, totals->retainedBytes}};
}

}  // namespace heapscape::engine
