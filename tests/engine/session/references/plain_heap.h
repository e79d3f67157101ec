// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
#include "session/references/reference_query.h"
#include "session/roots/roots_query.h"

namespace heapscape::test {

/// What is cut, in plain words.
struct PlainCuts {
  std::set<std::pair<engine::Address, engine::Address>> references = {};
  std::set<std::uint32_t> roots = {};
  std::set<engine::Address> objects = {};

  void add(const PlainCuts& other) {
    references.insert(other.references.begin(), other.references.end());
    roots.insert(other.roots.begin(), other.roots.end());
    objects.insert(other.objects.begin(), other.objects.end());
  }
};

/// The heap as memory has it. What a static within the runtime's own array refers to is held by the static and not by
/// that array.
class PlainHeap {
 public:
  explicit PlainHeap(const engine::Snapshot& snapshot) : m_roots(snapshot.roots().roots) {
    std::set<engine::Address> slots;
    for (const engine::RootRow& root : m_roots) {
      if (root.kind == engine::RootKind::Static || root.kind == engine::RootKind::ThreadStatic)
        slots.insert(root.address);
    }
    engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
      if (!snapshot.types()[row.type.value].isFree) m_bytes[row.address] = row.alignedBytes;
      return true;
    });
    engine::forEachEdge(snapshot, [&](const engine::Edge& edge) {
      const bool isSlot = edge.kind != engine::EdgeKind::Dependent && slots.contains(edge.from + edge.offset);
      if (isSlot || edge.from == edge.to) return true;
      m_targets[edge.from].push_back(edge.to);
      m_edges.push_back(edge);
      return true;
    });
    m_whole = distances({});
  }

  /// How far each object is from the roots that are left; those that none leads to are left out.
  std::unordered_map<engine::Address, std::uint64_t> distances(const PlainCuts& cuts) const {
    std::unordered_map<engine::Address, std::uint64_t> distances;
    std::deque<engine::Address> waiting;
    const auto reach = [&](engine::Address object, std::uint64_t distance) {
      if (!m_bytes.contains(object) || cuts.objects.contains(object)) return;
      if (distances.try_emplace(object, distance).second) waiting.push_back(object);
    };
    for (std::uint32_t root = 0; root < m_roots.size(); ++root) {
      if (!cuts.roots.contains(root)) reach(m_roots[root].object, 1);
    }
    for (; !waiting.empty(); waiting.pop_front()) {
      const auto targets = m_targets.find(waiting.front());
      if (targets == m_targets.end()) continue;
      const std::uint64_t distance = distances.at(waiting.front()) + 1;
      for (const engine::Address target : targets->second) {
        if (!cuts.references.contains({waiting.front(), target})) reach(target, distance);
      }
    }
    return distances;
  }

  /// The same without any cuts.
  const std::unordered_map<engine::Address, std::uint64_t>& whole() const { return m_whole; }

  bool hasEdge(engine::Address from, engine::Address to) const {
    const auto targets = m_targets.find(from);
    return targets != m_targets.end() && std::ranges::count(targets->second, to) > 0;
  }
  std::uint64_t bytesOf(engine::Address object) const { return m_bytes.at(object); }
  const std::vector<engine::Edge>& edges() const { return m_edges; }
  const std::unordered_map<engine::Address, std::uint64_t>& objects() const { return m_bytes; }

 private:
  const std::vector<engine::RootRow>& m_roots;
  std::unordered_map<engine::Address, std::uint64_t> m_bytes;
  std::unordered_map<engine::Address, std::vector<engine::Address>> m_targets;
  std::vector<engine::Edge> m_edges;
  std::unordered_map<engine::Address, std::uint64_t> m_whole;
};

}  // namespace heapscape::test
