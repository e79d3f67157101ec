// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_tree.h"

#include <tbb/blocked_range.h>
#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_sort.h>
#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "graph/dominators/closed_trees.h"
#include "graph/dominators/search_graph.h"
#include "graph/dominators/semidominators.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::engine {
namespace {

/// A dominator tree of all that can be reached, numbered from 1 in preorder; 0 stands for the whole.
struct PreorderNumbers {
  LargeArray<std::uint32_t> numbers;     // by vertex; 0 for what cannot be reached
  LargeArray<std::uint32_t> vertices;    // by number
  LargeArray<std::uint32_t> dominators;  // by number
};

constexpr std::size_t kPlantedWordsAtOnce = 1 << 10;
constexpr std::uint32_t kNumbersAtOnce = 1 << 16;
constexpr std::uint32_t kAhead = 24;  // how far ahead of their turn numbers are fetched

// Trees of so many objects, and rows of so many references, are passed on to whichever core is free.
constexpr std::uint32_t kLargeTree = 1 << 14;
constexpr std::uint32_t kLongRow = 1 << 14;

/// Numbers the members of closed trees, each behind whoever refers to it: how many it has below it is known.
class TreePlanter {
 public:
  /// `out` has as numbers how many objects members, and what holds trees, have below them in these.
  TreePlanter(const EdgeRows& edges, const std::vector<std::uint64_t>& members, PreorderNumbers& out)
      : m_edges(edges), m_members(members), m_out(out) {}

  /// Gives an object that is no member its number, 0 if it cannot be reached, and its trees those from `next` on.
  void plant(std::uint32_t object, std::uint32_t number, std::uint32_t next, std::vector<std::uint32_t>& waiting) {
    const std::uint32_t below = std::exchange(m_out.numbers[object], number);
    if (number) {
      m_out.vertices[number] = object;
      if (below == 0) return;
    }
    Row row = rowOf(object);
    row.next = next;
    grow(row, waiting, [&](const Row& large) { m_large.push_back(large); });
  }

  /// Once all of these have been planted: the large trees among theirs, which were put off.
  void plantLarge() {
    tbb::parallel_for_each(m_large.begin(), m_large.end(), [&](const Row& row, tbb::feeder<Row>& feeder) {
      const auto add = [&](const Row& part) { feeder.add(part); };
      if (row.isLong()) {
        std::ranges::for_each(partsOf(row), add);
      } else {
        std::vector<std::uint32_t> waiting;
        grow(row, waiting, add);
      }
    });
  }

 private:
  /// References of one object whose trees get the numbers from `next` on.
  struct Row {
    std::uint32_t first, end;
    std::uint32_t number;  // of the object
    std::uint32_t next;
    bool isLong() const { return end - first > kLongRow; }
  };

  bool isMember(std::uint32_t object) const {
    return m_members[object / ClosedTrees::kWordBits] >> object % ClosedTrees::kWordBits & 1;
  }

  /// The row of an object that has its number.
  Row rowOf(std::uint32_t object) const {
    const std::uint32_t first = m_edges.rows[object];
    const std::uint32_t number = m_out.numbers[object];
    return {first, first + m_edges.rows.countOf(object), number, number + 1};
  }

  /// `waiting`, which is empty, has room.
  template <class PutOff>
  void grow(Row row, std::vector<std::uint32_t>& waiting, PutOff putOff) {
    for (;;) {
      if (row.isLong()) {
        putOff(row);
      } else {
        growRow(row, waiting, putOff);
      }
      if (waiting.empty()) return;
      row = rowOf(waiting.back());
      waiting.pop_back();
    }
  }

  // Of its large trees one is left for here, so that a list is followed to its end.
  template <class PutOff>
  void growRow(Row row, std::vector<std::uint32_t>& waiting, PutOff putOff) {
    std::uint32_t large = kNone;
    for (std::uint32_t edge = row.first; edge < row.end; ++edge) {
      const std::uint32_t target = m_edges.targets[edge];
      if (!isMember(target)) continue;
      const std::uint32_t below = std::exchange(m_out.numbers[target], row.number ? row.next : 0);
      if (row.number) {
        m_out.vertices[row.next] = target;
        m_out.dominators[row.next] = row.number;
      }
      row.next += below + 1;
      if (below >= kLargeTree) {
        if (large != kNone) putOff(rowOf(large));
        large = target;
      } else if (below > 0) {
        waiting.push_back(target);
      }
    }
    if (large != kNone) waiting.push_back(large);
  }

  std::vector<Row> partsOf(Row row) const {
    std::vector<Row> parts;
    for (const std::uint32_t end = row.end; row.first < end; row.first = row.end) {
      row.end = std::min(end, row.first + kLongRow);
      parts.push_back(row);
      for (std::uint32_t edge = row.first; edge < row.end; ++edge)
        if (const std::uint32_t target = m_edges.targets[edge]; isMember(target)) row.next += m_out.numbers[target] + 1;
    }
    return parts;
  }

  const EdgeRows& m_edges;
  const std::vector<std::uint64_t>& m_members;
  PreorderNumbers& m_out;
  tbb::concurrent_vector<Row> m_large;
};

class Numbering {
 public:
  Numbering(const EdgeRows& edges, ClosedTrees trees, const SearchGraph& graph, SearchTree search)
      : m_edges(edges), m_trees(std::move(trees)), m_graph(graph), m_search(std::move(search)) {}

  PreorderNumbers run() && {
    numberSearched();
    m_out.numbers = std::move(m_trees.below());
    const std::uint32_t forest = m_edges.vertexCount();
    for (std::uint32_t place = m_graph.firstOfForest(); place < m_graph.size(); ++place) {
      const std::uint32_t vertex = forest + (place - m_graph.firstOfForest());
      m_out.numbers[vertex] = finalOf(place).number;
      m_out.vertices[finalOf(place).number] = vertex;
    }
    TreePlanter planter(m_edges, m_trees.members(), m_out);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, m_graph.wordCount(), kPlantedWordsAtOnce),
                      [&](const auto& words) {
                        std::vector<std::uint32_t> waiting;
                        forEachOther(words.begin(), words.end(), [&](std::uint32_t object) {
                          const std::uint32_t place = m_graph.placeOf(object);
                          if (place == SearchGraph::kNone) return planter.plant(object, 0, 0, waiting);
                          fetchFinalOf(std::uint64_t{place} + 2 * kAhead);
                          if (std::uint64_t{place} + kAhead < m_search.numbers.size())
                            __builtin_prefetch(&m_out.vertices[finalOf(place + kAhead).number], 1);
                          planter.plant(object, finalOf(place).number, finalOf(place).next, waiting);
                        });
                      });
    planter.plantLarge();
    return std::move(m_out);
  }

 private:
  /// Final number of a vertex of the search.
  struct Final {
    std::uint32_t number = 0;
    std::uint32_t next = 0;  // number that the next vertex gets that this one dominates
  };

  // Among what a vertex dominates, the trees that it refers to come last.
  void numberSearched() {
    LargeArray<std::uint32_t>& dominators = m_search.candidates.dominators;
    LargeArray<std::uint32_t> counts = std::move(m_search.candidates.semidominators);  // of each and all below it
    takeOwnCounts(counts);
    for (std::uint32_t w = m_search.reached; w > 0; --w) counts[dominators[w]] += counts[w];
    LargeArray<Final> finals = std::move(m_search.links).reuse<Final>();
    finals[0] = {0, 1};
    for (std::uint32_t w = 1; w <= m_search.reached; ++w) {
      std::uint32_t& next = finals[dominators[w]].next;
      finals[w] = {next, next + 1};
      next += counts[w];
    }
    m_out.vertices = LargeArray<std::uint32_t>(counts[0]);
    m_out.dominators = LargeArray<std::uint32_t>(counts[0]);
    forEachPart(1, m_search.reached + 1, [&](std::uint32_t w, std::uint32_t end) {
      if (w + kAhead < end) __builtin_prefetch(&m_out.dominators[finals[w + kAhead].number], 1);
      m_out.dominators[finals[w].number] = finals[dominators[w]].number;
    });
    m_search.candidates = {};
    m_finals = std::move(finals);
  }

  void takeOwnCounts(LargeArray<std::uint32_t>& counts) {
    counts[0] = 1;
    const auto take = [&](std::uint32_t vertex, std::uint32_t place) {
      if (place + kAhead < m_graph.size()) __builtin_prefetch(&counts[m_search.numbers[place + kAhead]], 1);
      if (const std::uint32_t number = m_search.numbers[place]) counts[number] = m_trees.below()[vertex] + 1;
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, m_graph.wordCount(), kPlantedWordsAtOnce),
                      [&](const auto& words) { m_graph.forEachObject(words.begin(), words.end(), take); });
    for (std::uint32_t place = m_graph.firstOfForest(); place < m_graph.size(); ++place)
      take(m_edges.vertexCount() + (place - m_graph.firstOfForest()), place);
  }

  Final finalOf(std::uint32_t place) const {
    const std::uint32_t number = m_search.numbers[place];
    return number ? m_finals[number] : Final{};
  }
  void fetchFinalOf(std::uint64_t place) const {
    if (place < m_search.numbers.size()) __builtin_prefetch(&m_finals[m_search.numbers[place]]);
  }

  /// On all cores run(each, end of its part).
  template <class Run>
  static void forEachPart(std::uint32_t first, std::uint32_t end, Run run) {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(first, end, kNumbersAtOnce), [&](const auto& part) {
      for (std::uint32_t i = part.begin(); i < part.end(); ++i) run(i, part.end());
    });
  }

  /// Calls visit(object) for those of some words that are in no closed tree.
  template <class Visit>
  void forEachOther(std::size_t firstWord, std::size_t endWord, Visit visit) const {
    for (std::size_t word = firstWord; word < endWord; ++word) {
      const auto first = static_cast<std::uint32_t>(word * ClosedTrees::kWordBits);
      for (std::uint64_t left = ~m_trees.members()[word]; left != 0; left &= left - 1) {
        const std::uint32_t object = first + static_cast<std::uint32_t>(std::countr_zero(left));
        if (object >= m_edges.vertexCount()) return;
        visit(object);
      }
    }
  }

  const EdgeRows& m_edges;
  ClosedTrees m_trees;
  const SearchGraph& m_graph;
  SearchTree m_search;
  LargeArray<Final> m_finals;  // by the search's number
  PreorderNumbers m_out;
};

/// Puts together the dominators of what was searched, by its number in the search, and the closed trees below it. Uses
/// up all that it gets.
PreorderNumbers numberInPreorder(const EdgeRows& edges, ClosedTrees trees, const SearchGraph& graph,
                                 SearchTree search) {
  return Numbering(edges, std::move(trees), graph, std::move(search)).run();
}

constexpr std::uint32_t kVerticesPerReport = 1 << 18;

// Where each step ends, from measurements.
constexpr double kTreesEnd = 0.1;
constexpr double kGraphEnd = 0.2;
constexpr double kSearchEnd = 0.65;
constexpr double kSemidominatorsEnd = 0.8;
constexpr double kDominatorsEnd = 0.9;

/// From a vertex to one that dominates it, over many others as a rule.
struct Jump {
  std::uint32_t to;
  std::uint32_t depth;  // of the vertex itself
};

/// The way up is short as a rule. It is long where a list is and where much hangs on its end that is held from
/// elsewhere, too: once steps have become many they are taken by jumps, so that none takes more than the logarithm of
/// the depth.
class DominatorClimb {
 public:
  DominatorClimb(Candidates& candidates, LargeArray<Jump>& jumps)
      : m_dominators(candidates.dominators), m_semidominators(candidates.semidominators), m_jumps(jumps) {}

  /// `onProgress` gets the shares that are done.
  void run(std::uint32_t reached, const std::function<void(double)>& onProgress) {
    const std::uint64_t enough = kStepsBeforeJumps * reached;
    std::uint64_t steps = 0;
    std::uint32_t w = 1;
    for (; w <= reached && steps <= enough; ++w) {
      if (w % kVerticesPerReport == 0) onProgress(static_cast<double>(w) / reached);
      const std::uint32_t semidominator = m_semidominators[w];
      std::uint32_t dominator = m_dominators[w];
      for (; dominator > semidominator; ++steps) dominator = m_dominators[dominator];
      m_dominators[w] = dominator;
    }
    if (w > reached) return;
    m_jumps[0] = {0, 0};
    for (std::uint32_t v = 1; v < w; ++v) addJump(v);
    for (; w <= reached; ++w) {
      if (w % kVerticesPerReport == 0) onProgress(static_cast<double>(w) / reached);
      const std::uint32_t semidominator = m_semidominators[w];
      std::uint32_t dominator = m_dominators[w];
      while (dominator > semidominator) {
        const std::uint32_t far = jumpFrom(dominator);
        dominator = far > semidominator ? far : m_dominators[dominator];
      }
      m_dominators[w] = dominator;
      addJump(w);
    }
  }

 private:
  static constexpr std::uint64_t kStepsBeforeJumps = 32;

  // Jumps as in a skew-binary list (Myers 1983): each vertex has one, and they are twice as long every other level.
  std::uint32_t jumpFrom(std::uint32_t v) const { return m_jumps[v].to; }
  std::uint32_t depthOf(std::uint32_t v) const { return m_jumps[v].depth; }
  void addJump(std::uint32_t v) {
    const std::uint32_t above = m_dominators[v];
    const std::uint32_t near = jumpFrom(above);
    const std::uint32_t far = jumpFrom(near);
    const bool isEven = depthOf(above) - depthOf(near) == depthOf(near) - depthOf(far);
    m_jumps[v] = {isEven ? far : above, depthOf(above) + 1};
  }

  LargeArray<std::uint32_t>& m_dominators;  // of those behind us; of others the parents
  const LargeArray<std::uint32_t>& m_semidominators;
  LargeArray<Jump>& m_jumps;
};

/// Turns semidominators into dominators (semi-NCA): each is the nearest dominator above that is not behind the
/// semidominator. The links of the search are used up.
void findDominators(SearchTree& search, const std::function<void(double)>& onProgress) {
  auto jumps = std::move(search.links).reuse<Jump>();
  DominatorClimb(search.candidates, jumps).run(search.reached, onProgress);
  search.links = std::move(jumps).reuse<SearchTree::Link>();
}

}  // namespace

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  auto trees = ClosedTrees::find(edges, roots, stop);
  if (!trees) return std::nullopt;
  progress.report(kTreesEnd);
  SearchGraph graph(edges, roots, *trees);
  const auto part = [&](double from, double to) {
    return [&progress, from, to](double share) { progress.report(from + (to - from) * share); };
  };
  auto search = SearchTree::grow(graph, roots, part(kGraphEnd, kSearchEnd), stop);
  if (!search) return std::nullopt;
  if (!findSemidominators(*search, part(kSearchEnd, kSemidominatorsEnd), stop)) return std::nullopt;
  search->backArcs.clear();
  findDominators(*search, part(kSemidominatorsEnd, kDominatorsEnd));
  if (stop.stop_requested()) return std::nullopt;
  PreorderNumbers numbered = numberInPreorder(edges, *std::move(trees), graph, *std::move(search));
  DominatorTree tree;
  tree.m_objectCount = edges.vertexCount();
  tree.m_rootCount = roots.size();
  tree.m_reached = static_cast<std::uint32_t>(numbered.vertices.size()) - 1;
  tree.m_numbers = std::move(numbered.numbers);
  tree.m_vertices = std::move(numbered.vertices);
  tree.m_dominators = std::move(numbered.dominators);
  progress.report(1);
  return tree;
}

DominatorTree DominatorTree::ofArrays(std::uint32_t objectCount, const Arrays& arrays) {
  DominatorTree tree;
  tree.m_objectCount = objectCount;
  tree.m_rootCount = static_cast<std::uint32_t>(arrays.numbers.size()) - objectCount;
  tree.m_reached = static_cast<std::uint32_t>(arrays.vertices.size()) - 1;
  tree.m_numbers = LargeArray<std::uint32_t>::viewOf(arrays.numbers);
  tree.m_vertices = LargeArray<std::uint32_t>::viewOf(arrays.vertices);
  tree.m_dominators = LargeArray<std::uint32_t>::viewOf(arrays.dominators);
  return tree;
}

namespace {

// From here on one family is sorted on all cores.
constexpr std::size_t kLargeFamily = 1 << 16;

/// Sorts siblings beside what they retain, so that comparing them does not wander through memory.
class SiblingSort {
 public:
  explicit SiblingSort(const RetainedSizes& sizes) : m_sizes(sizes) {}

  void sort(std::span<std::uint32_t> siblings) {
    m_entries.clear();
    for (const std::uint32_t number : siblings) m_entries.push_back({m_sizes.bytes[number], number});
    const auto isBefore = [](const Entry& a, const Entry& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.number < b.number;
    };
    if (m_entries.size() < kLargeFamily) {
      std::sort(m_entries.begin(), m_entries.end(), isBefore);
    } else {
      tbb::parallel_sort(m_entries.begin(), m_entries.end(), isBefore);
    }
    std::transform(m_entries.begin(), m_entries.end(), siblings.begin(), [](const Entry& e) { return e.number; });
  }

 private:
  struct Entry {
    std::uint64_t bytes;
    std::uint32_t number;
  };

  const RetainedSizes& m_sizes;
  std::vector<Entry> m_entries;
};

}  // namespace

DominatorChildren::DominatorChildren(const DominatorTree& tree)
    : m_ends(std::size_t{tree.reachedCount()} + 2), m_children(tree.reachedCount()) {
  const std::uint32_t reached = tree.reachedCount();
  for (std::uint32_t number = 1; number <= reached; ++number) ++m_ends[tree.dominatorOf(number) + 1];
  std::uint32_t before = 0;
  for (std::uint32_t number = 0; number <= reached; ++number) {
    const std::uint32_t count = m_ends[number + 1];
    m_ends[number + 1] = before;
    before += count;
  }
  // What was where a family begins moves to its end, which is where the next one begins.
  for (std::uint32_t number = 1; number <= reached; ++number)
    m_children[m_ends[tree.dominatorOf(number) + 1]++] = number;
}

bool DominatorChildren::sortByRetained(const RetainedSizes& sizes, std::stop_token stop) {
  const auto families = static_cast<std::uint32_t>(m_ends.size() - 1);
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, families, 1 << 14), [&](const auto& part) {
    SiblingSort siblings(sizes);
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      if (number % 4096 == 0 && stop.stop_requested()) return;
      const std::uint32_t size = m_ends[number + 1] - m_ends[number];
      if (size > 1) siblings.sort({m_children.data() + m_ends[number], size});
    }
  });
  return !stop.stop_requested();
}

}  // namespace heapscape::engine
