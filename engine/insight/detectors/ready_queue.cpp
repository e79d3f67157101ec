// SPDX-License-Identifier: MIT
#include "insight/detectors/ready_queue.h"

namespace heapscape::engine {
namespace {

/// The number of the group of such roots; 0 if there are none.
std::uint32_t numberOfGroup(const Retention& retention) {
  for (const RootRow& root : retention.roots.roots) {
    if (root.kind == RootKind::FinalizerReady && root.group != RootGroup::kNone)
      return retention.numberOfGroup(root.group);
  }
  return 0;
}

}  // namespace

ReadyQueue::ReadyQueue(const HeapObjects& heap) : m_heap(heap), m_first(numberOfGroup(*heap.contents().retention)) {
  if (!m_first) return;
  const DominatorTree& tree = heap.tree();
  for (m_end = m_first + 1; m_end <= tree.reachedCount() && tree.dominatorOf(m_end) >= m_first;) {
    const bool isObject = tree.isObject(tree.vertexOf(m_end));
    m_end += isObject ? heap.sizes().objects[m_end] : 1;
  }
}

std::vector<std::uint32_t> ReadyQueue::tops() const {
  std::vector<std::uint32_t> tops;
  const DominatorTree& tree = m_heap.tree();
  for (std::uint32_t number = m_first + 1; number < m_end;) {
    const std::uint32_t vertex = tree.vertexOf(number);
    if (tree.isObject(vertex)) tops.push_back(vertex);
    number += tree.isObject(vertex) ? m_heap.sizes().objects[number] : 1;
  }
  return tops;
}

}  // namespace heapscape::engine
