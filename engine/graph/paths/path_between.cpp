// SPDX-License-Identifier: MIT
#include "graph/paths/path_between.h"

#include <algorithm>
#include <span>

#include "base/ids.h"
#include "base/stop_interval.h"

namespace heapscape::engine {
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
