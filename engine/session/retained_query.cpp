// SPDX-License-Identifier: MIT
#include "session/retained_query.h"

#include <algorithm>
#include <queue>

#include <tbb/parallel_for.h>

#include "graph/retained_by_type.h"
#include "heap/segment_objects.h"
#include "session/contents.h"

namespace heapscape::engine {
namespace {

// Shares of the progress, from measurements.
constexpr double kGraphShare = 0.4;
constexpr double kDominatorsShare = 0.9;

class RetainedComputation {
 public:
  RetainedComputation(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop)
      : m_contents(snapshot.contents()), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<RetainedList> run(const std::vector<Address>& roots, const RetainedOptions& options) {
    HEAPSCAPE_TRY(m_graph, readGraph());
    m_list.findings.append(m_graph.findings);
    StageProgress dominating(m_progress, "finding dominators", kGraphShare, kDominatorsShare);
    auto tree = DominatorTree::build(m_graph.edges(), idsOf(roots), dominating, m_stop);
    if (!tree) return tl::unexpected(Unfinished::cancelled());
    m_tree = std::move(*tree);
    m_sizes = addUpRetained(m_tree, m_graph);
    addTotals();
    listLargest(options.objects);
    if (options.byType) addTypes();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return std::move(m_list);
  }

 private:
  Outcome<ReferenceGraph> readGraph() {
    FindingList findings;
    const TypeReferences types(*m_contents.readers, *m_contents.heap);
    const DependentEdges dependents = readDependentEdges(m_contents.readers->runtime, findings);
    StageProgress reading(m_progress, "reading references", 0, kGraphShare);
    return buildReferenceGraph({*m_contents.memory, *m_contents.segments, *m_contents.heap, types, dependents}, reading,
                               m_stop);
  }

  std::vector<std::uint32_t> idsOf(const std::vector<Address>& objects) const {
    std::vector<std::uint32_t> ids;
    for (const Address object : objects) {
      const ObjectId id = m_contents.heap->index.idOf(object);
      if (!id.isNone()) ids.push_back(id.value);
    }
    return ids;
  }

  void addTotals() {
    RetainedTotals& totals = m_list.totals;
    totals.reachableObjects = m_tree.reachedCount();
    totals.reachableBytes = m_sizes.bytes[0];
    for (const GenerationRow& row : m_contents.heap->generations) {
      totals.unreachableObjects += row.totals.objects - row.totals.freeObjects;
      totals.unreachableBytes += row.totals.bytes - row.totals.freeBytes;
    }
    totals.unreachableObjects -= totals.reachableObjects;
    totals.unreachableBytes -= totals.reachableBytes;
  }

  void listLargest(std::size_t limit) {
    const auto isLarger = [&](std::uint32_t a, std::uint32_t b) {
      return m_sizes.bytes[a] != m_sizes.bytes[b] ? m_sizes.bytes[a] > m_sizes.bytes[b]
                                                  : m_tree.vertexOf(a) < m_tree.vertexOf(b);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(isLarger)> largest(isLarger);
    for (std::uint32_t number = 1; number <= m_tree.reachedCount() && limit > 0; ++number) {
      if (largest.size() == limit && !isLarger(number, largest.top())) continue;
      if (largest.size() == limit) largest.pop();
      largest.push(number);
    }
    for (; !largest.empty(); largest.pop()) m_list.objects.push_back(rowOf(largest.top()));
    std::reverse(m_list.objects.begin(), m_list.objects.end());
  }

  RetainedRow rowOf(std::uint32_t number) const {
    const ObjectIndex& index = m_contents.heap->index;
    const ObjectId id{m_tree.vertexOf(number)};
    RetainedRow row;
    row.object = index.addressOf(id);
    row.type = typeAt(row.object);
    row.bytes = m_graph.bytesOf(id.value);
    row.retainedBytes = m_sizes.bytes[number];
    row.retainedCount = m_sizes.objects[number];
    if (const std::uint32_t dominator = m_tree.dominatorOf(number))
      row.dominator = index.addressOf({m_tree.vertexOf(dominator)});
    return row;
  }

  TypeId typeAt(Address object) const {
    std::uint64_t word = 0;
    if (!m_contents.memory->tryRead(object, word)) return {};
    const TypeIndex::Slot* slot = m_contents.heap->types.find(word & kMethodTableMask);
    return slot ? TypeId{slot->type} : TypeId{};
  }

  void addTypes() {
    const WalkedHeap& heap = *m_contents.heap;
    LargeArray<std::uint32_t> typeOf(heap.index.objectCount());
    tbb::parallel_for(std::size_t{0}, m_contents.segments->size(), [&](std::size_t i) {
      const SegmentId id{static_cast<std::uint32_t>(i)};
      const Segment& segment = (*m_contents.segments)[i];
      const SegmentObjects objects(*m_contents.memory, heap.index, heap.types, id, segment);
      std::uint32_t object = heap.index.objectsOf(id).first.value;
      heap.index.forEachStart(id, segment.objects, [&](Address address) {
        ObjectFacts facts;
        if (objects.tryRead(address, facts)) typeOf[object] = facts.type.value;
        ++object;
        return true;
      });
    });
    const auto rows = addUpRetainedByType(m_tree, m_sizes, m_graph, typeOf, heap.types.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (rows[i].instances) m_list.types.push_back({{i}, rows[i].instances, rows[i].bytes, rows[i].retainedBytes});
    }
    std::stable_sort(m_list.types.begin(), m_list.types.end(), [](const RetainedTypeRow& a, const RetainedTypeRow& b) {
      return a.retainedBytes > b.retainedBytes;
    });
  }

  const Contents& m_contents;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  ReferenceGraph m_graph;
  DominatorTree m_tree;
  RetainedSizes m_sizes;
  RetainedList m_list;
};

}  // namespace

Outcome<RetainedList> retainedSizes(const Snapshot& snapshot, const std::vector<Address>& roots,
                                    const RetainedOptions& options, ProgressSink* progress, std::stop_token stop) {
  if (!snapshot.contents().heap) return RetainedList{};
  return RetainedComputation(snapshot, progress, std::move(stop)).run(roots, options);
}

}  // namespace heapscape::engine
