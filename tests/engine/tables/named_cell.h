// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "tables/table.h"

namespace heapscape::test {

/// What the column of that name holds of a row; throws if there is none.
template <class Row>
engine::Cell cellOf(const engine::TableOf<Row>& table, const Row& row, const std::string& column) {
  const auto index = table.description().find(column);
  if (!index) throw std::out_of_range("no column " + column);
  return table.cell(row, *index);
}

/// The same as it is left without contents.
template <class Row>
engine::Cell redactedCellOf(const engine::TableOf<Row>& table, const Row& row, const std::string& column) {
  const auto index = table.description().find(column);
  if (!index) throw std::out_of_range("no column " + column);
  return table.redacted(row, *index);
}

/// The text of a cell of any table.
inline std::string textIn(const engine::Table& table, std::uint32_t row, const std::string& column) {
  const auto index = table.description->find(column);
  if (!index) throw std::out_of_range("no column " + column);
  return engine::toString(table.cell(row, *index));
}

}  // namespace heapscape::test
