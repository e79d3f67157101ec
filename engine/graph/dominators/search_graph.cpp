// SPDX-License-Identifier: MIT
#include "graph/dominators/search_graph.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <tbb/parallel_for.h>

namespace heapscape::engine {
namespace {

constexpr std::size_t kNodeWordsOfPart = 1 << 10;

/// Takes the targets of one node after the other.
class NodeMaker {
 public:
  void add(std::uint32_t target) {
    if (m_count < std::size(m_node.targets)) {
      m_node.targets[m_count] = target;
    } else {
      if (m_count == std::size(m_node.targets))
        m_many.insert(m_many.end(), std::begin(m_node.targets), std::end(m_node.targets));
      m_many.push_back(target);
    }
    ++m_count;
  }

  /// Where it has many, they are counted from the first one of all that were added.
  SearchGraph::Node take() {
    SearchGraph::Node node = std::exchange(m_node, kEmpty);
    const std::uint32_t count = std::exchange(m_count, 0);
    if (count > std::size(node.targets))
      node = {0, {SearchGraph::kMany, static_cast<std::uint32_t>(m_many.size()) - count, count}};
    return node;
  }
  const std::vector<std::uint32_t>& many() const { return m_many; }

 private:
  static constexpr SearchGraph::Node kEmpty{0, {SearchGraph::kNone, SearchGraph::kNone, SearchGraph::kNone}};

  SearchGraph::Node m_node = kEmpty;
  std::uint32_t m_count = 0;
  std::vector<std::uint32_t> m_many;
};

}  // namespace

SearchGraph::SearchGraph(const EdgeRows& edges, const RootForest& roots, ClosedTrees& trees) {
  makeIndex(trees);
  m_forestSize = roots.size();
  m_nodes = LargeArray<Node>(size());
  m_many = LargeArray<std::uint32_t>(edges.targets.size() + 2 * std::size_t{m_forestSize});
  tbb::parallel_for(std::size_t{0}, (wordCount() + kNodeWordsOfPart - 1) / kNodeWordsOfPart,
                    [&](std::size_t part) { makeNodes(edges, part * kNodeWordsOfPart, trees.below()); });
  makeForest(roots, edges.vertexCount());
}

void SearchGraph::makeIndex(const ClosedTrees& trees) {
  m_index.reserve(trees.searched().size());
  for (const std::uint64_t bits : trees.searched()) {
    m_index.push_back({bits, m_objects});
    m_objects += static_cast<std::uint32_t>(std::popcount(bits));
  }
}

void SearchGraph::makeNodes(const EdgeRows& edges, std::size_t firstWord, LargeArray<std::uint32_t>& below) {
  NodeMaker maker;
  std::uint32_t end = m_index[firstWord].before;
  forEachObject(firstWord, std::min(firstWord + kNodeWordsOfPart, wordCount()),
                [&](std::uint32_t object, std::uint32_t place) {
                  std::uint32_t inTrees = 0;
                  for (const std::uint32_t target : edges.targetsOf(object)) {
                    const std::uint32_t to = placeOf(target);
                    if (to == kNone) {
                      inTrees += below[target] + 1;
                    } else if (to != place) {
                      maker.add(to);
                    }
                  }
                  m_nodes[place] = maker.take();
                  below[object] = inTrees;
                  end = place + 1;
                });
  keepMany(m_index[firstWord].before, end, maker.many());
}

void SearchGraph::makeForest(const RootForest& roots, std::uint32_t objects) {
  std::vector<std::vector<std::uint32_t>> targets(m_forestSize);
  for (std::uint32_t i = 0; i < m_forestSize; ++i) {
    if (roots[i].parent != RootForest::kNone) targets[roots[i].parent].push_back(firstOfForest() + i);
    if (roots[i].object < objects) targets[i].push_back(placeOf(roots[i].object));
  }
  NodeMaker maker;
  for (std::uint32_t i = 0; i < m_forestSize; ++i) {
    for (const std::uint32_t target : targets[i]) maker.add(target);
    m_nodes[firstOfForest() + i] = maker.take();
  }
  keepMany(firstOfForest(), size(), maker.many());
}

void SearchGraph::keepMany(std::uint32_t firstPlace, std::uint32_t endPlace, const std::vector<std::uint32_t>& many) {
  if (many.empty()) return;
  const std::uint32_t first = m_manyEnd.fetch_add(static_cast<std::uint32_t>(many.size()));
  std::ranges::copy(many, m_many.data() + first);
  for (std::uint32_t place = firstPlace; place < endPlace; ++place)
    if (Node& node = m_nodes[place]; node.targets[0] == kMany) node.targets[1] += first;
}

}  // namespace heapscape::engine
