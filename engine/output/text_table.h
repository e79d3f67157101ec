// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/output.h"

namespace heapscape::engine {

/// Rows with aligned columns, for people. Cells are made printable.
class TextTable {
 public:
  enum class Align { Left, Right };
  enum class EmptyColumns { Written, LeftOut };  // of those without text in any row
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  /// As many cells as there are columns.
  void addRow(const std::vector<std::string>& cells);
  /// The titles and all rows.
  void write(Output& output, EmptyColumns empty = EmptyColumns::Written) const;

 private:
  /// `widths`: by column; 0 for one that is left out.
  void writeCells(Output& output, std::string_view cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> m_columns;
  std::vector<std::string> m_rows;  // cells one behind the other, as hundreds of thousands of rows are nothing unusual
};

}  // namespace heapscape::engine
