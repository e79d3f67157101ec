// SPDX-License-Identifier: MIT
#include "graph/paths/near_roots.h"

#include <algorithm>

#include "base/stop_interval.h"

namespace heapscape::engine {

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
