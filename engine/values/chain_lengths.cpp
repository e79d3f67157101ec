// SPDX-License-Identifier: MIT
#include "values/chain_lengths.h"

namespace heapscape::engine {

std::optional<ChainLengths::Length> ChainLengths::find(Address node) const {
  const std::scoped_lock lock(m_mutex);
  const auto known = m_lengths.find(node);
  return known == m_lengths.end() ? std::nullopt : std::optional(known->second);
}

void ChainLengths::keep(Address node, const Length& length) {
  const std::scoped_lock lock(m_mutex);
  m_lengths.insert_or_assign(node, length);
}

}  // namespace heapscape::engine
