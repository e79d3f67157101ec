// SPDX-License-Identifier: MIT
#include "graph/retained/reachable_set.h"

#include "base/progress.h"
#include "graph/object_references.h"

namespace heapscape::engine {
namespace {

class ReachableSearch {
 public:
  explicit ReachableSearch(const ReferenceSources& sources)
      : m_sources(sources),
        m_objects(objectsOfAll(sources.memory, sources.heap.index, sources.heap.types, sources.segments)),
        m_isSeen(sources.heap.index.objectCount()) {}

  void add(Address object) {
    const ObjectId id = m_sources.heap.index.idOf(object);
    if (id.isNone() || m_isSeen[id.value]) return;
    m_isSeen[id.value] = true;
    m_waiting.push_back(object);
  }

  std::optional<ReachableTotals> run(const std::stop_token& stop) {
    ReachableTotals totals;
    while (!m_waiting.empty()) {
      if (totals.objects % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
      const Address object = m_waiting.back();
      m_waiting.pop_back();
      const SegmentObjects& objects = m_objects[m_sources.heap.index.segmentOf(object).value];
      ObjectFacts facts;
      if (!objects.tryRead(object, facts) || facts.type == m_sources.heap.freeType) continue;
      ++totals.objects;
      totals.bytes += facts.alignedBytes();
      ObjectReferences(m_sources.memory, objects, m_sources.types, &m_sources.dependents)
          .forEach(facts, [this](const Edge& edge) { add(edge.to); });
    }
    return totals;
  }

 private:
  const ReferenceSources& m_sources;
  std::vector<SegmentObjects> m_objects;  // by SegmentId
  std::vector<bool> m_isSeen;             // by ObjectId
  std::vector<Address> m_waiting;
};

}  // namespace

std::optional<ReachableTotals> countReachable(const ReferenceSources& sources, const std::vector<Address>& from,
                                              std::stop_token stop) {
  ReachableSearch search(sources);
  for (const Address object : from) search.add(object);
  return search.run(stop);
}

}  // namespace heapscape::engine
