// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "metadata/metadata_tables.h"

namespace heapscape::engine {

/// Finds rows of a table by what one of its columns names. Built at first use, from any thread; the table's claim to be
/// sorted is not relied on.
class RowIndex {
 public:
  struct Entry {
    std::uint32_t key = 0;  // Token::value()
    std::uint32_t row = 0;
    auto operator<=>(const Entry&) const = default;
  };

  RowIndex(const MetadataTables& tables, TableId table, std::uint8_t keyColumn)
      : m_tables(tables), m_table(table), m_keyColumn(keyColumn) {}

  /// All rows whose column names the token, in row order.
  std::span<const Entry> rowsOf(Token key) const;
  /// The first of them, or 0.
  std::uint32_t firstRowOf(Token key) const;
  /// The last entry whose key is not above the token's: its row, or 0. For columns that start runs of rows.
  std::uint32_t rowStartingAtOrBefore(Token key) const;

 private:
  const std::vector<Entry>& entries() const;

  const MetadataTables& m_tables;
  TableId m_table;
  std::uint8_t m_keyColumn;
  mutable std::once_flag m_built;
  mutable std::vector<Entry> m_entries;
};

}  // namespace heapscape::engine
