// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "layout/declared/closed_type.h"

namespace heapscape::engine {

/// Gives every closed type its number.
class ClosedTypeTable {
 public:
  /// The type's number, a new one if it has not been met. Fails with Damaged where types are nested deeper, or are
  /// more, than any program has: crafted generics expand without end.
  Result<ClosedTypeId> intern(ClosedType type);
  const ClosedType& at(ClosedTypeId id) const { return m_types[id.value]; }
  std::size_t size() const { return m_types.size(); }

 private:
  std::size_t depthOf(const ClosedType& type) const;

  std::deque<ClosedType> m_types;  // references to them stay valid
  std::vector<std::uint8_t> m_depths;
  std::unordered_multimap<std::size_t, ClosedTypeId> m_byHash;
};

}  // namespace heapscape::engine
