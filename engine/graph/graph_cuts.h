// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace heapscape::engine {

/// References and roots of a graph that are thought away. By ObjectId.
class GraphCuts {
 public:
  /// From one object to another; all of them, if there are several.
  struct Reference {
    std::uint32_t from = 0, to = 0;
    auto operator<=>(const Reference&) const = default;
  };

  GraphCuts() = default;
  /// `objects`: nothing refers to these any more, nor does a root. `unrooted`: no root refers to these any more.
  GraphCuts(std::vector<Reference> references, std::vector<std::uint32_t> objects, std::vector<std::uint32_t> unrooted);

  /// The objects that something lets go of, ascending.
  const std::vector<std::uint32_t>& letGo() const { return m_letGo; }
  /// Whether objects go, and no more: no single reference or root is cut.
  bool areObjectsAlone() const { return m_references.empty() && m_unrooted.empty(); }
  /// Whether nothing refers to an object any more.
  bool goes(std::uint32_t object) const;
  /// Whether `holder` lets go of the object; kNone for the roots that refer to it.
  bool isCut(std::uint32_t holder, std::uint32_t object) const;

 private:
  // All sorted, each once.
  std::vector<Reference> m_references;
  std::vector<std::uint32_t> m_objects;
  std::vector<std::uint32_t> m_unrooted;
  std::vector<std::uint32_t> m_letGo;
};

}  // namespace heapscape::engine
