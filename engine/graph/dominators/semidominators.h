// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "graph/dominators/search_graph.h"

namespace heapscape::engine {

/// Arcs between numbered vertices, gathered by ranges of their targets while they come in any order, so that all arcs
/// into one target can be had without sorting them as a whole.
class ArcBuckets {
 public:
  static constexpr std::uint32_t kTargetsPerBucket = 1 << 16;

  /// Room for targets below `targetEnd` and for so many arcs.
  ArcBuckets(std::uint32_t targetEnd, std::size_t arcs)
      : m_lastBlock(targetEnd / kTargetsPerBucket + 1),
        m_used(m_lastBlock.size(), kArcsPerBlock),
        m_blocks(arcs / kArcsPerBlock + m_lastBlock.size() + 1) {}

  void add(std::uint32_t target, std::uint32_t source) {
    const std::uint32_t bucket = target / kTargetsPerBucket;
    if (m_used[bucket] == kArcsPerBlock) startBlock(bucket);
    Block& block = m_blocks[m_lastBlock[bucket]];
    block.targets[m_used[bucket]] = static_cast<std::uint16_t>(target % kTargetsPerBucket);
    block.sources[m_used[bucket]++] = source;
  }

  void clear() { *this = ArcBuckets(0, 0); }

  /// Calls visit(target within the bucket, source) for the arcs of one bucket, in any order.
  template <class Visit>
  void forEach(std::uint32_t bucket, Visit visit) const {
    std::uint32_t used = m_used[bucket];
    for (std::uint32_t block = m_lastBlock[bucket]; block != 0; block = m_blocks[block].previous) {
      for (std::uint32_t i = 0; i < used; ++i) visit(m_blocks[block].targets[i], m_blocks[block].sources[i]);
      used = kArcsPerBlock;
    }
  }

 private:
  // A block has a page of memory, so that few are open in each huge page and none is wasted.
  static constexpr std::uint32_t kArcsPerBlock = 682;
  struct Block {
    std::uint32_t sources[kArcsPerBlock];
    std::uint16_t targets[kArcsPerBlock];  // within the bucket
    std::uint32_t previous;                // of the same bucket; 0 at its start
  };

  void startBlock(std::uint32_t bucket) {
    m_blocks[++m_blockCount].previous = m_lastBlock[bucket];
    m_lastBlock[bucket] = m_blockCount;
    m_used[bucket] = 0;
  }

  std::vector<std::uint32_t> m_lastBlock;  // by bucket; 0 if it has none
  std::vector<std::uint32_t> m_used;       // by bucket: arcs in its last block
  LargeArray<Block> m_blocks;              // from 1
  std::uint32_t m_blockCount = 0;
};

/// Candidates for the dominators of all vertices; by number.
struct Candidates {
  LargeArray<std::uint32_t> dominators;      // at first the parents in the search tree
  LargeArray<std::uint32_t> semidominators;  // at first the predecessors with the smallest number
};

/// A depth-first search from the top of the forest of roots over all that can be reached from it, with what is needed
/// to find dominators. Vertices are numbered from 1 in the order of the search; 0 stands for the whole.
struct SearchTree {
  /// How a vertex hangs in the tree.
  struct Link {
    std::uint32_t parent;
    std::uint32_t firstFinder;  // the predecessor with the smallest number
  };

  std::uint32_t reached = 0;
  LargeArray<std::uint32_t> numbers;  // by place in the graph; 0 for what cannot be reached
  LargeArray<Link> links;             // by number
  Candidates candidates;              // as they are at first
  ArcBuckets backArcs;                // from vertices into those with smaller numbers

  /// Uses up the graph's nodes. `onProgress` gets the shares that are done, up to 1. Returns nullopt if it was stopped.
  static std::optional<SearchTree> grow(SearchGraph& graph, const RootForest& roots,
                                        const std::function<void(double)>& onProgress, const std::stop_token& stop);
};

/// Finds the semidominators of all vertices that the search has reached, among its candidates. Uses up its links and
/// arcs. `onProgress` gets the shares that are done, up to 1. False if it was stopped.
bool findSemidominators(SearchTree& search, const std::function<void(double)>& onProgress, const std::stop_token& stop);

}  // namespace heapscape::engine
