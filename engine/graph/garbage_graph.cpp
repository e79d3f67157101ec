// SPDX-License-Identifier: MIT
#include "graph/garbage_graph.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/progress.h"
#include "graph/object_bits.h"

namespace heapscape::engine {
namespace {

/// Copies the references among garbage.
class GarbageRows {
 public:
  GarbageRows(const ReferenceGraph& graph, const DominatorTree& live, std::span<const ObjectRange> frozen)
      : m_graph(graph), m_live(live), m_frozen(frozen) {}

  bool isGarbage(std::uint32_t object) const {
    return m_live.numberOf(object) == 0 && m_graph.units[object] != 0 && !isIn(m_frozen, object);
  }

  bool copyInto(GarbageGraph& garbage, const std::stop_token& stop) const {
    const std::uint32_t objects = m_graph.objectCount();
    garbage.rows = StoredRows(objects);
    StoredRows::Writer writer(garbage.rows, 0);
    std::vector<LongRow> longRows;
    std::uint32_t before = 0;
    for (std::uint32_t object = 0; object < objects; ++object) {
      if (object % kStopInterval == 0 && stop.stop_requested()) return false;
      std::uint32_t count = 0;
      forEachTarget(object, [&](std::uint32_t) { ++count; });
      writer.add(count, before);
      if (count >= RowLine::kMany) longRows.push_back({object, count});
      before += count;
    }
    garbage.rows.finish(longRows, before);
    garbage.targets = LargeArray<std::uint32_t>(before);
    std::uint32_t next = 0;
    for (std::uint32_t object = 0; object < objects; ++object) {
      if (object % kStopInterval == 0 && stop.stop_requested()) return false;
      forEachTarget(object, [&](std::uint32_t target) { garbage.targets[next++] = target; });
    }
    return true;
  }

 private:
  template <class Visit>
  void forEachTarget(std::uint32_t object, Visit visit) const {
    if (!isGarbage(object)) return;
    for (const std::uint32_t target : m_graph.targetsOf(object))
      if (isGarbage(target)) visit(target);
  }

  const ReferenceGraph& m_graph;
  const DominatorTree& m_live;
  const std::span<const ObjectRange> m_frozen;
};

class TopFinder {
 public:
  TopFinder(const GarbageRows& heap, GarbageGraph& garbage, const std::stop_token& stop)
      : m_heap(heap),
        m_edges{garbage.rows.starts(), garbage.targets.elements()},
        m_tops(garbage.tops),
        m_stop(stop),
        m_reached(m_edges.vertexCount()) {}

  bool run() {
    if (!findUnreferred() || !findRings()) return false;
    std::ranges::sort(m_tops);
    return true;
  }

 private:
  bool findUnreferred() {
    ObjectBits referredTo(m_edges.vertexCount());
    for (std::uint32_t object = 0; object < m_edges.vertexCount(); ++object) {
      for (const std::uint32_t target : m_edges.targetsOf(object))
        if (target != object) referredTo.set(target);
    }
    for (std::uint32_t object = 0; object < m_edges.vertexCount(); ++object) {
      if (referredTo[object] || !m_heap.isGarbage(object)) continue;
      m_tops.push_back(object);
      if (!reachFrom(object, m_reached)) return false;
    }
    return true;
  }

  // What is left hangs on rings. Searched from one object after the other, a ring that nothing outside refers to is met
  // from its own first object. Of those that searches began at, the last one lies on such a ring, for else whoever
  // refers to it would have been met later and begun one; so does each before it that none behind it leads to.
  bool findRings() {
    ObjectBits met = m_reached;
    std::vector<std::uint32_t> starts;
    for (std::uint32_t object = 0; object < m_edges.vertexCount(); ++object) {
      if (met[object] || !m_heap.isGarbage(object)) continue;
      starts.push_back(object);
      if (!reachFrom(object, met)) return false;
    }
    for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
      if (m_reached[*start]) continue;
      m_tops.push_back(*start);
      if (!reachFrom(*start, m_reached)) return false;
    }
    return true;
  }

  bool reachFrom(std::uint32_t object, ObjectBits& reached) {
    if (reached.set(object)) return true;
    m_waiting.push_back(object);
    while (!m_waiting.empty()) {
      if (++m_steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      const std::uint32_t next = m_waiting.back();
      m_waiting.pop_back();
      for (const std::uint32_t target : m_edges.targetsOf(next))
        if (!reached.set(target)) m_waiting.push_back(target);
    }
    return true;
  }

  const GarbageRows& m_heap;
  const EdgeRows m_edges;
  std::vector<std::uint32_t>& m_tops;
  const std::stop_token& m_stop;
  ObjectBits m_reached;
  std::vector<std::uint32_t> m_waiting;
  std::uint64_t m_steps = 0;
};

}  // namespace

std::optional<GarbageGraph> garbageGraphOf(const ReferenceGraph& graph, const DominatorTree& live,
                                           std::span<const ObjectRange> frozen, const std::stop_token& stop) {
  GarbageGraph garbage;
  const GarbageRows heap(graph, live, frozen);
  if (!heap.copyInto(garbage, stop) || !TopFinder(heap, garbage, stop).run()) return std::nullopt;
  return garbage;
}

}  // namespace heapscape::engine
