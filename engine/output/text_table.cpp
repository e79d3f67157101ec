// SPDX-License-Identifier: MIT
#include "output/text_table.h"

#include <algorithm>
#include <utility>

#include "output/text.h"

namespace heapscape::engine {

namespace {

constexpr char kEndOfCell = '\0';  // printable text has none

std::string joined(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) (row += printable(cell)) += kEndOfCell;
  return row;
}

/// Calls `visit(column, cell)` for each cell of a row.
template <class Visit>
void forEachCell(std::string_view row, Visit visit) {
  for (std::size_t column = 0; !row.empty(); ++column) {
    const std::size_t end = row.find(kEndOfCell);
    visit(column, row.substr(0, end));
    row.remove_prefix(end + 1);
  }
}

}  // namespace

void TextTable::addRow(const std::vector<std::string>& cells) {
  m_rows.push_back(joined(cells));
}

void TextTable::write(Output& output, EmptyColumns empty) const {
  std::vector<std::string> titles;
  for (const Column& column : m_columns) titles.push_back(column.title);
  const std::string heading = joined(titles);
  std::vector<std::size_t> widths(m_columns.size());
  const auto measure = [&](std::size_t column, std::string_view cell) {
    widths[column] = std::max(widths[column], textWidth(cell));
  };
  for (const std::string& row : m_rows) forEachCell(row, measure);
  forEachCell(heading, [&](std::size_t column, std::string_view cell) {
    if (empty == EmptyColumns::Written || widths[column] > 0) measure(column, cell);
  });
  writeCells(output, heading, widths);
  for (const std::string& row : m_rows) writeCells(output, row, widths);
}

void TextTable::writeCells(Output& output, std::string_view cells, const std::vector<std::size_t>& widths) const {
  std::string line;
  bool isFirst = true;
  forEachCell(cells, [&](std::size_t column, std::string_view cell) {
    if (widths[column] == 0) return;
    const std::size_t padding = widths[column] - textWidth(cell);
    if (!std::exchange(isFirst, false)) line += "  ";
    if (m_columns[column].align == Align::Right) line.append(padding, ' ');
    line += cell;
    if (m_columns[column].align == Align::Left) line.append(padding, ' ');
  });
  line.erase(line.find_last_not_of(' ') + 1);
  output.write(line);
  output.write('\n');
}

}  // namespace heapscape::engine
