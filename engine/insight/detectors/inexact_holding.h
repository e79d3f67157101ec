// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Objects that nothing certain holds: only words of stacks lead to them, which stand in where a frame's references are
/// not known and may be no references.
class InexactHolding {
 public:
  explicit InexactHolding(const Contents& contents);

  /// Whether there are roots that are not exact at all.
  bool isNeeded() const { return !m_isCertain.empty(); }
  bool isOnlyInexact(std::uint32_t object) const {
    return !m_isCertain.empty() && !m_isCertain[object] && isHeld(object);
  }
  /// Whether all that an insight is about is held so.
  bool isOnlyInexact(const FoundInsight& found) const;

 private:
  bool isHeld(std::uint32_t object) const { return m_contents.retention->tree.numberOf(object) != 0; }

  const Contents& m_contents;
  std::vector<bool> m_isCertain;  // by ObjectId; empty if all roots are exact
};

}  // namespace heapscape::engine
