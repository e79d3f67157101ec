// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_children.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <vector>

namespace heapscape::engine {
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
