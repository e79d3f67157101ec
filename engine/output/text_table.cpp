// SPDX-License-Identifier: MIT
#include "output/text_table.h"

#include <algorithm>
#include <utility>

#include "output/text.h"

namespace heapscape::engine {

void TextTable::addRow(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  m_rows.push_back(std::move(cells));
}

void TextTable::write(Output& output) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : m_columns) {
    titles.push_back(column.title);
    widths.push_back(textWidth(column.title));
  }
  for (const auto& row : m_rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], textWidth(row[i]));
  }
  writeCells(output, titles, widths);
  for (const auto& row : m_rows) writeCells(output, row, widths);
}

void TextTable::writeCells(Output& output, const std::vector<std::string>& cells,
                           const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t padding = widths[i] - textWidth(cells[i]);
    if (i > 0) line += "  ";
    if (m_columns[i].align == Align::Right) line.append(padding, ' ');
    line += cells[i];
    if (m_columns[i].align == Align::Left) line.append(padding, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  output.write(line);
  output.write('\n');
}

}  // namespace heapscape::engine
