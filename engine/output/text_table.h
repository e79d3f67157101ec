// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/output.h"

namespace heapscape::engine {

/// Rows with aligned columns, for people. Cells are made printable.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  /// As many cells as there are columns.
  void addRow(std::vector<std::string> cells);
  /// The titles and all rows.
  void write(Output& output) const;

 private:
  void writeCells(Output& output, const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace heapscape::engine
