// SPDX-License-Identifier: MIT
#include "metadata/row_index.h"

#include <algorithm>

namespace heapscape::engine {

const std::vector<RowIndex::Entry>& RowIndex::entries() const {
  std::call_once(m_built, [this] {
    std::vector<Entry> entries;
    const std::uint32_t count = m_tables.rowCount(m_table);
    entries.reserve(count);
    for (std::uint32_t row = 1; row <= count; ++row) {
      const auto read = m_tables.row(m_table, row);
      const Token key = read ? read->token(m_keyColumn) : Token{};
      if (!key.isNil()) entries.push_back({key.value(), row});
    }
    if (!std::is_sorted(entries.begin(), entries.end())) std::sort(entries.begin(), entries.end());
    m_entries = std::move(entries);
  });
  return m_entries;
}

std::span<const RowIndex::Entry> RowIndex::rowsOf(Token key) const {
  const auto& all = entries();
  const auto [first, last] = std::ranges::equal_range(all, key.value(), {}, &Entry::key);
  return {first, last};
}

std::uint32_t RowIndex::firstRowOf(Token key) const {
  const auto rows = rowsOf(key);
  return rows.empty() ? 0 : rows.front().row;
}

std::uint32_t RowIndex::rowStartingAtOrBefore(Token key) const {
  const auto& all = entries();
  const auto after = std::ranges::upper_bound(all, key.value(), {}, &Entry::key);
  return after == all.begin() ? 0 : std::prev(after)->row;
}

}  // namespace heapscape::engine
