// SPDX-License-Identifier: MIT
#include "graph/paths/root_distances.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kFetchRows = 16;    // objects ahead of the one whose references are followed
constexpr std::uint32_t kFetchTargets = 8;  // by then its row is there
constexpr std::uint32_t kFetchObjects = 16;

/// Objects in the order in which they were reached; what lies ahead is fetched before its turn.
class Frontier {
 public:
  Frontier(const EdgeRows& edges, std::uint32_t capacity) : m_edges(edges), m_objects(capacity) {}

  bool isFull() const { return m_end == m_objects.size(); }
  void push(std::uint32_t object) { m_objects[m_end++] = object; }
  bool isEmpty() const { return m_next == m_end; }
  std::uint32_t taken() const { return m_next; }
  std::uint32_t pop() {
    if (m_next + kFetchRows < m_end) m_edges.rows.prefetch(m_objects[m_next + kFetchRows]);
    if (m_next + kFetchTargets < m_end) {
      const std::uint32_t row = m_edges.rows[m_objects[m_next + kFetchTargets]];
      if (row < m_edges.targets.size()) __builtin_prefetch(&m_edges.targets[row]);
    }
    return m_objects[m_next++];
  }

 private:
  const EdgeRows& m_edges;
  LargeArray<std::uint32_t> m_objects;
  std::uint32_t m_next = 0;
  std::uint32_t m_end = 0;
};

}  // namespace

std::optional<RootDistances> RootDistances::measure(const EdgeRows& edges, std::span<const std::uint32_t> roots,
                                                    std::uint32_t reachable, StageProgress& progress,
                                                    std::stop_token stop) {
  RootDistances result;
  result.m_distances = LargeArray<std::uint32_t>(edges.vertexCount());
  LargeArray<std::uint32_t>& distances = result.m_distances;
  Frontier frontier(edges, reachable);
  const auto reach = [&](std::uint32_t object, std::uint32_t distance) {
    if (distances[object] || frontier.isFull()) return;
    distances[object] = distance;
    frontier.push(object);
  };
  for (const std::uint32_t root : roots) reach(root, 1);
  while (!frontier.isEmpty()) {
    if (frontier.taken() % kStopInterval == 0) {
      if (stop.stop_requested()) return std::nullopt;
      progress.report(static_cast<double>(frontier.taken()) / reachable);
    }
    const std::uint32_t object = frontier.pop();
    const std::uint32_t distance = distances[object] + 1;
    const std::span<const std::uint32_t> targets = edges.targetsOf(object);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (i + kFetchObjects < targets.size()) __builtin_prefetch(&distances[targets[i + kFetchObjects]], 1);
      reach(targets[i], distance);
    }
  }
  progress.report(1);
  return result;
}

std::uint32_t nearerHolder(const RootDistances& distances, const ReverseReferences& reverse, std::uint32_t object) {
  const std::uint32_t nearer = distances.of(object) - 1;
  for (const std::uint32_t holder : reverse.of(object)) {
    if (distances.of(holder) == nearer) return holder;
  }
  return object;  // only if distances and rows were of different graphs
}

NearRoots::NearRoots(const EdgeRows& edges, const std::vector<std::uint32_t>& rooted)
    : m_edges(edges), m_isMet(edges.vertexCount()), m_met(edges.vertexCount()) {
  for (const std::uint32_t object : rooted) reach(object);
}

void NearRoots::reach(std::uint32_t object) {
  if (m_isMet[object]) return;
  m_isMet[object] = true;
  m_met[m_metCount++] = object;
}

/// False if it was stopped, or there is nothing farther away.
bool NearRoots::addLevel(const std::stop_token& stop) {
  const std::size_t first = m_levels.back();
  const std::size_t end = m_metCount;
  if (first == end) return false;
  for (std::size_t i = first; i < end; ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) return false;
    const auto targets = m_edges.targetsOf(m_met[i]);
    for (const std::uint32_t target : targets) reach(target);
    m_followed += targets.size();
  }
  m_levels.push_back(end);
  return true;
}

std::size_t NearRoots::levelOf(std::uint32_t object) const {
  // What was asked for last is what was met last, as a rule.
  const auto met = m_met.elements().first(m_metCount);
  const auto found = std::find(met.rbegin(), met.rend(), object);
  const auto place = static_cast<std::size_t>(met.rend() - found) - 1;
  return static_cast<std::size_t>(std::ranges::upper_bound(m_levels, place) - m_levels.begin()) - 1;
}

std::uint32_t NearRoots::nearerThan(std::uint32_t object, std::size_t level) {
  std::uint32_t nearest = object;
  bool isFound = false;
  for (std::size_t i = m_levels[level - 1]; i < m_levels[level]; ++i) {
    const std::uint32_t holder = m_met[i];
    if (isFound && holder > nearest) continue;
    const auto targets = m_edges.targetsOf(holder);
    m_followed += targets.size();
    if (std::ranges::find(targets, object) == targets.end()) continue;
    nearest = holder;
    isFound = true;
  }
  return nearest;
}

std::optional<std::vector<std::uint32_t>> NearRoots::shortestTo(std::uint32_t object, const std::stop_token& stop) {
  while (!m_isMet[object] && addLevel(stop)) {
  }
  if (stop.stop_requested()) return std::nullopt;
  std::vector<std::uint32_t> path;
  if (!m_isMet[object]) return path;
  path.push_back(object);
  for (std::size_t level = levelOf(object); level > 0; --level) {
    if (stop.stop_requested()) return std::nullopt;
    path.push_back(nearerThan(path.back(), level));
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace heapscape::engine
