// SPDX-License-Identifier: MIT
#include "graph/dominators/closed_trees.h"

#include <algorithm>
#include <bit>
#include <span>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kWordBits = ClosedTrees::kWordBits;
constexpr std::size_t kEdgesAtOnce = 1 << 18;
constexpr std::size_t kEdgesAhead = 16;
constexpr int kMostLanes = 16;  // each with 2 bits an object
constexpr std::size_t kTreeWordsOfPart = 1 << 12;

class TreeFinder {
 public:
  TreeFinder(const EdgeRows& edges, const RootForest& roots, const std::stop_token& stop)
      : m_edges(edges),
        m_stop(stop),
        m_referredTo(static_cast<std::size_t>(std::min(kMostLanes, tbb::this_task_arena::max_concurrency())),
                     std::vector<ReferredTo>(edges.vertexCount() / kWordBits + 1)),
        m_closed(edges.vertexCount() / kWordBits + 1),
        m_below(std::size_t{edges.vertexCount()} + roots.size()) {
    for (std::uint32_t i = 0; i < roots.size(); ++i)
      if (roots[i].object < edges.vertexCount()) noteHeld(roots[i].object);
    for (const std::uint32_t top : roots.tops()) noteHeld(top);
  }

  bool run() {
    noteReferences();
    // Trees lie before or behind what holds them, as they were made; the way back finds those that change sides, too.
    for (const Pass pass : {Pass::Leaves, Pass::Forwards, Pass::Backwards}) {
      if (m_stop.stop_requested()) return false;
      m_closedBefore = m_closed;
      tbb::parallel_for(std::size_t{0}, (m_closed.size() + kTreeWordsOfPart - 1) / kTreeWordsOfPart,
                        [&](std::size_t part) { closePart(part * kTreeWordsOfPart, pass); });
    }
    return !m_stop.stop_requested();
  }

  std::vector<std::uint64_t> searched() const {
    std::vector<std::uint64_t> searched(m_closed.size());
    for (std::size_t word = 0; word < searched.size(); ++word)
      searched[word] = m_referredTo.front()[word].once & ~m_closed[word];
    return searched;
  }
  std::vector<std::uint64_t> takeClosed() { return std::move(m_closed); }
  LargeArray<std::uint32_t> takeBelow() { return std::move(m_below); }

 private:
  enum class Pass { Leaves, Forwards, Backwards };

  /// A bit for each of some objects in a row.
  struct ReferredTo {
    std::uint64_t once = 0;  // or more often
    std::uint64_t more = 0;
    void add(const ReferredTo& other) {
      more |= other.more | (once & other.once);
      once |= other.once;
    }
  };

  // As if something else referred to it as well.
  void noteHeld(std::uint32_t object) {
    noteReference(m_referredTo.front(), object);
    noteReference(m_referredTo.front(), object);
  }

  // Each lane on its own, which takes less than half of what it takes to set bits that other cores may set, too.
  void noteReferences() {
    const std::span<const std::uint32_t> targets = m_edges.targets;
    const std::size_t share = targets.size() / m_referredTo.size() + 1;
    tbb::parallel_for(std::size_t{0}, m_referredTo.size(), [&](std::size_t lane) {
      const std::size_t first = std::min(targets.size(), lane * share);
      noteReferences(m_referredTo[lane], targets.subspan(first, std::min(share, targets.size() - first)));
    });
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, m_closed.size(), kTreeWordsOfPart), [&](const auto& part) {
      for (std::size_t lane = 1; lane < m_referredTo.size(); ++lane)
        for (std::size_t word = part.begin(); word < part.end(); ++word)
          m_referredTo.front()[word].add(m_referredTo[lane][word]);
    });
    m_referredTo.resize(1);
  }

  void noteReferences(std::vector<ReferredTo>& words, std::span<const std::uint32_t> targets) const {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (i % kEdgesAtOnce == 0 && m_stop.stop_requested()) return;
      if (i + kEdgesAhead < targets.size()) __builtin_prefetch(&words[targets[i + kEdgesAhead] / kWordBits], 1);
      noteReference(words, targets[i]);
    }
  }

  static void noteReference(std::vector<ReferredTo>& words, std::uint32_t object) {
    words[object / kWordBits].add({1ull << object % kWordBits, 0});
  }

  // A part sees of the others what was known before the pass, so that the outcome is the same on any number of cores.
  void closePart(std::size_t firstWord, Pass pass) {
    const std::size_t endWord = std::min(firstWord + kTreeWordsOfPart, m_closed.size());
    if (pass == Pass::Leaves) {
      for (std::size_t word = firstWord; word < endWord; ++word) closeLeaves(word);
    } else if (pass == Pass::Forwards) {
      for (std::size_t word = firstWord; word < endWord; ++word) {
        for (std::uint64_t left = openOf(word); left != 0; left &= left - 1)
          closeIfPossible(objectAt(word, std::countr_zero(left)), firstWord, endWord);
      }
    } else {
      for (std::size_t word = endWord; word-- > firstWord;) {
        for (std::uint64_t left = openOf(word); left != 0;) {
          const int bit = 63 - std::countl_zero(left);
          left &= ~(1ull << bit);
          closeIfPossible(objectAt(word, bit), firstWord, endWord);
        }
      }
    }
  }

  static std::uint32_t objectAt(std::size_t word, int bit) {
    return static_cast<std::uint32_t>(word * kWordBits) + static_cast<std::uint32_t>(bit);
  }

  // Objects that may still be in a closed tree.
  std::uint64_t openOf(std::size_t word) const {
    const ReferredTo& referredTo = m_referredTo.front()[word];
    return referredTo.once & ~referredTo.more & ~m_closed[word];
  }

  void closeLeaves(std::size_t word) {
    if (const std::uint64_t open = openOf(word)) m_closed[word] |= open & m_edges.rows.withoutEdges(objectAt(word, 0));
  }

  void closeIfPossible(std::uint32_t object, std::size_t firstWord, std::size_t endWord) {
    std::uint32_t below = 0;
    for (const std::uint32_t target : m_edges.targetsOf(object)) {
      const std::size_t word = target / kWordBits;
      const std::uint64_t closed = word >= firstWord && word < endWord ? m_closed[word] : m_closedBefore[word];
      if (!(closed >> target % kWordBits & 1)) return;
      below += m_below[target] + 1;
    }
    m_below[object] = below;
    m_closed[object / kWordBits] |= 1ull << object % kWordBits;
  }

  const EdgeRows& m_edges;
  const std::stop_token& m_stop;
  std::vector<std::vector<ReferredTo>> m_referredTo;  // one a lane; the first one has all in the end
  std::vector<std::uint64_t> m_closed;
  std::vector<std::uint64_t> m_closedBefore;
  LargeArray<std::uint32_t> m_below;  // of leaves as it was made
};

}  // namespace

std::optional<ClosedTrees> ClosedTrees::find(const EdgeRows& edges, const RootForest& roots,
                                             const std::stop_token& stop) {
  TreeFinder finder(edges, roots, stop);
  if (!finder.run()) return std::nullopt;
  ClosedTrees trees;
  trees.m_searched = finder.searched();
  trees.m_members = finder.takeClosed();
  trees.m_below = finder.takeBelow();
  return trees;
}

}  // namespace heapscape::engine
