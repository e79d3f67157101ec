// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "insight/heap_objects.h"

namespace heapscape::engine {

/// Objects that only the queue of those that are ready to be finalized holds: a part of the dominator tree.
class ReadyQueue {
 public:
  explicit ReadyQueue(const HeapObjects& heap);

  bool contains(std::uint32_t number) const { return number > m_first && number < m_end; }
  /// The outermost objects of that part: what is in the queue, and what several of those hold together.
  std::vector<std::uint32_t> tops() const;

 private:
  const HeapObjects& m_heap;
  // Numbers: of the group of these roots, and behind the last one that it dominates; both 0 if nothing is ready.
  std::uint32_t m_first = 0, m_end = 0;
};

}  // namespace heapscape::engine
