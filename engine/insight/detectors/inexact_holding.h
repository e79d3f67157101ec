// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Objects that nothing certain holds: only words of stacks lead to them, which stand in where a frame's references are
/// not known and may be no references.
class InexactHolding {
 public:
  explicit InexactHolding(const Contents& contents);

  /// All of them, ascending ObjectIds.
  const std::vector<std::uint32_t>& objects() const { return m_objects; }
  bool isOnlyInexact(std::uint32_t object) const { return std::ranges::binary_search(m_objects, object); }
  /// Whether all that an insight is about is held so.
  bool isOnlyInexact(const FoundInsight& found) const;

 private:
  std::vector<std::uint32_t> m_objects;
};

}  // namespace heapscape::engine
