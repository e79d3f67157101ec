// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/figures.h"
#include "base/finding.h"
#include "output/output.h"

namespace heapscape::engine {

/// The text as valid UTF-8: every byte that is none becomes U+FFFD.
std::string validUtf8(std::string_view text);

/// Safe to show on a terminal and in a cell: valid UTF-8, with escapes ("\0", base/unicode.h) for the rest.
std::string printable(std::string_view text);

/// Columns that the text takes up on a terminal, one for each code point.
std::size_t textWidth(std::string_view text);

/// "512 B", "1.43 MB": three significant digits, steps of 1024.
std::string readableBytes(std::uint64_t bytes);

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

  /// Adds a row of as many cells as there are columns.
  void addRow(const std::vector<std::string>& cells);
  /// The titles and all rows.
  void write(Output& output, EmptyColumns empty = EmptyColumns::Written) const;

 private:
  /// `widths`: by column; 0 for one that is left out.
  void writeCells(Output& output, std::string_view cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> m_columns;
  std::vector<std::string> m_rows;  // cells one behind the other, as hundreds of thousands of rows are nothing unusual
};

/// A line for each of at most `limit` findings, and one for how many more there are, with those that were not kept;
/// nothing if there are none.
void writeFindingsText(Output& output, const std::vector<Finding>& findings, std::size_t leftOut, std::size_t limit);

}  // namespace heapscape::engine
