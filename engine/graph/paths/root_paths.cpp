// SPDX-License-Identifier: MIT
#include "graph/paths/root_paths.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <span>

#include "base/ids.h"

namespace heapscape::engine {
namespace {

/// The object nearest to the roots that every path passes through, and whether one root alone holds it.
struct Gate {
  std::uint32_t object = 0;
  bool hasOneRoot = false;
};

Gate gateOf(const RootPathSources& sources, std::uint32_t object) {
  const DominatorTree& tree = sources.tree;
  std::uint32_t number = tree.numberOf(object);
  while (const std::uint32_t dominator = tree.dominatingObjectOf(number)) number = dominator;
  const std::uint32_t holder = tree.dominatorOf(number);
  return {tree.vertexOf(number), holder != 0 && tree.vertexOf(holder) >= sources.firstRoot};
}

/// From a gate back to the objects that roots refer to, nearest first: A* with the exact distance that is left, or with
/// cuts the least that it may be.
class BackwardSearch {
 public:
  BackwardSearch(const RootPathSources& sources, std::uint32_t from) : m_sources(sources) {
    m_isSeen.resize(sources.tree.objectCount());
    m_next.push_back({sources.distances.of(from), {from, kNone, 1}});
  }

  /// The next object that a root refers to; nothing when there is none or the limit was met.
  std::optional<std::uint32_t> findRooted(std::size_t references, const std::stop_token& stop) {
    while (!m_isCut && takeNext()) {
      const auto step = static_cast<std::uint32_t>(m_steps.size() - 1);
      m_followed += m_sources.reverse.of(m_steps[step].object).size() + 1;
      m_isCut = m_followed > references;
      if (!m_isCut) follow(step);
      if (isRooted(m_steps[step].object)) return step;
      if (m_steps.size() % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
    }
    return std::nullopt;
  }

  bool isExhausted() const { return !m_isCut && m_level.empty() && m_next.empty(); }

  /// Objects from a step down to where the search began, that one left out.
  std::vector<std::uint32_t> pathFrom(std::uint32_t step) const {
    std::vector<std::uint32_t> path;
    for (; m_steps[step].below != kNone; step = m_steps[step].below) path.push_back(m_steps[step].object);
    return path;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Step {
    std::uint32_t object = 0;
    std::uint32_t below = kNone;  // the step nearer to where the search began
    std::uint32_t length = 0;     // objects from there to here
  };
  struct Waiting {
    std::uint64_t total = 0;  // objects on the shortest way to a root through this one
    Step step;
    bool operator<(const Waiting& other) const { return total > other.total; }  // the shortest on top of a heap
  };

  bool takeNext() {
    for (;;) {
      if (m_level.empty()) {
        if (m_next.empty()) return false;
        m_total = m_next.front().total;
        while (!m_next.empty() && m_next.front().total == m_total) {
          m_level.push_back(m_next.front().step);
          std::pop_heap(m_next.begin(), m_next.end());
          m_next.pop_back();
        }
      }
      const Step step = m_level.back();
      m_level.pop_back();
      if (m_isSeen[step.object]) continue;
      m_isSeen[step.object] = true;
      m_steps.push_back(step);
      return true;
    }
  }

  bool isRooted(std::uint32_t object) const {
    if (m_sources.distances.of(object) != 1) return false;
    return !m_sources.without || !m_sources.without->cuts.isCut(kNone, object);
  }

  bool isAway(std::uint32_t holder, std::uint32_t object) const {
    const PathCuts* without = m_sources.without;
    return without && (without->isFreed(holder) || without->cuts.isCut(holder, object));
  }

  void follow(std::uint32_t from) {
    const Step step = m_steps[from];
    for (const std::uint32_t holder : m_sources.reverse.of(step.object)) {
      const std::uint32_t distance = m_sources.distances.of(holder);
      if (!distance || m_isSeen[holder] || isAway(holder, step.object)) continue;
      const Step next{holder, from, step.length + 1};
      const std::uint64_t total = std::uint64_t{step.length} + distance;
      if (total == m_total) {
        m_level.push_back(next);
      } else {
        m_next.push_back({total, next});
        std::push_heap(m_next.begin(), m_next.end());
      }
    }
  }

  const RootPathSources& m_sources;
  std::vector<bool> m_isSeen;   // by ObjectId
  std::vector<Step> m_steps;    // in the order they were taken
  std::vector<Step> m_level;    // of those waiting the ones on the shortest ways, the last one first
  std::vector<Waiting> m_next;  // a heap of the others
  std::uint64_t m_total = 0;    // of the level
  std::size_t m_followed = 0;
  bool m_isCut = false;
};

/// Adds the shortest way from each further object that roots refer to, up to where the search begins, and what lies
/// behind that. Only the first way of all may cost any number of references. False if it was stopped.
bool addPaths(BackwardSearch& search, const std::vector<std::uint32_t>& behind, const RootPathLimits& limits,
              FoundPaths& found, const std::stop_token& stop) {
  while (found.paths.size() < limits.paths) {
    const std::size_t references = found.paths.empty() ? std::numeric_limits<std::size_t>::max() : limits.references;
    const auto rooted = search.findRooted(references, stop);
    if (stop.stop_requested()) return false;
    if (!rooted) break;
    std::vector<std::uint32_t> path = search.pathFrom(*rooted);
    path.insert(path.end(), behind.begin(), behind.end());
    const bool isNew = found.paths.empty() || path.front() != found.paths.front().front();
    if (isNew) found.paths.push_back(std::move(path));
  }
  found.isExhausted = search.isExhausted();
  return true;
}

/// Nothing lies on all ways that are left for certain, so that all are searched for from the object itself.
std::optional<FoundPaths> findPathsLeft(const RootPathSources& sources, std::uint32_t object,
                                        const RootPathLimits& limits, const std::stop_token& stop) {
  FoundPaths found;
  if (sources.without->isFreed(object)) return found;
  BackwardSearch search(sources, object);
  if (!addPaths(search, {object}, limits, found, stop)) return std::nullopt;
  return found;
}

}  // namespace

std::optional<FoundPaths> findRootPaths(const RootPathSources& sources, std::uint32_t object,
                                        const RootPathLimits& limits, std::stop_token stop) {
  FoundPaths found;
  if (!sources.distances.of(object) || limits.paths == 0) return found;
  if (sources.without) return findPathsLeft(sources, object, limits, stop);
  std::vector<std::uint32_t> shortest{object};
  while (sources.distances.of(shortest.back()) > 1) {
    if (shortest.size() % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
    shortest.push_back(nearerHolder(sources.distances, sources.reverse, shortest.back()));
  }
  std::reverse(shortest.begin(), shortest.end());
  found.paths.push_back(shortest);
  const Gate gate = gateOf(sources, object);
  if (gate.hasOneRoot) return found;  // whatever else roots refer to does not lead here
  if (limits.paths == 1) {
    found.isExhausted = false;
    return found;
  }
  // All paths pass through the gate, so that they differ only above it.
  const std::vector<std::uint32_t> shared(std::find(shortest.begin(), shortest.end(), gate.object), shortest.end());
  BackwardSearch search(sources, gate.object);
  if (!addPaths(search, shared, limits, found, stop)) return std::nullopt;
  return found;
}

namespace {

/// All objects within some steps of one end.
class Side {
 public:
  Side(std::uint32_t start, std::uint32_t objects) : m_isReached(objects) { reach(start, kNone); }

  /// Objects that were reached last.
  std::size_t frontier() const { return m_reached.size() - m_level; }
  std::size_t size() const { return m_reached.size(); }
  bool isReached(std::uint32_t object) const { return m_isReached[object]; }

  struct Advance {
    bool isStopped = false;
    std::uint32_t meeting = kNone;  // the first object found that the other side has reached, too
  };
  /// One step further along next(object).
  template <class Next>
  Advance advance(const Next& next, const Side& other, const std::stop_token& stop) {
    const std::size_t end = m_reached.size();
    for (std::size_t i = m_level; i < end; ++i) {
      if (i % kStopInterval == 0 && stop.stop_requested()) return {.isStopped = true};
      for (const std::uint32_t object : next(m_reached[i].object)) {
        if (m_isReached[object]) continue;
        reach(object, static_cast<std::uint32_t>(i));
        if (other.isReached(object)) return {.meeting = object};
      }
    }
    m_level = end;
    return {};
  }

  /// From an object that was reached back to the start.
  std::vector<std::uint32_t> wayBack(std::uint32_t object) const {
    std::vector<std::uint32_t> way;
    auto at = static_cast<std::uint32_t>(std::ranges::find(m_reached, object, &Step::object) - m_reached.begin());
    for (; at != kNone; at = m_reached[at].before) way.push_back(m_reached[at].object);
    return way;
  }

 private:
  struct Step {
    std::uint32_t object;
    std::uint32_t before;  // position of the one that it was reached from
  };

  void reach(std::uint32_t object, std::uint32_t before) {
    m_isReached[object] = true;
    m_reached.push_back({object, before});
  }

  std::vector<bool> m_isReached;  // by ObjectId
  std::vector<Step> m_reached;    // nearest first
  std::size_t m_level = 0;        // where those of the last step begin
};

}  // namespace

std::optional<std::vector<std::uint32_t>> findPathBetween(const EdgeRows& edges, const ReverseReferences& reverse,
                                                          std::uint32_t from, std::uint32_t to, StageProgress& progress,
                                                          std::stop_token stop) {
  if (from == to) return std::vector{from};
  Side ahead(from, edges.vertexCount());
  Side back(to, edges.vertexCount());
  const auto referred = [&](std::uint32_t object) { return edges.targetsOf(object); };
  const auto referring = [&](std::uint32_t object) { return reverse.of(object); };
  while (ahead.frontier() > 0 && back.frontier() > 0) {
    const Side::Advance advance = ahead.frontier() <= back.frontier() ? ahead.advance(referred, back, stop)
                                                                      : back.advance(referring, ahead, stop);
    if (advance.isStopped) return std::nullopt;
    if (advance.meeting != kNone) {
      std::vector<std::uint32_t> path = ahead.wayBack(advance.meeting);
      std::reverse(path.begin(), path.end());
      const std::vector<std::uint32_t> rest = back.wayBack(advance.meeting);
      path.insert(path.end(), rest.begin() + 1, rest.end());
      return path;
    }
    progress.report(static_cast<double>(ahead.size() + back.size()) / (2.0 * edges.vertexCount()));
  }
  return std::vector<std::uint32_t>{};
}

}  // namespace heapscape::engine
