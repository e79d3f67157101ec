// SPDX-License-Identifier: MIT
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/figures.h"
#include "base/unicode.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

unsigned char byteAt(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// Length of the UTF-8 sequence that begins the text, 0 if there is none.
std::size_t sequenceLength(std::string_view text) {
  const unsigned char lead = byteAt(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byteAt(text, i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byteAt(text, 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool beyondLast = lead == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyondLast ? 0 : length;
}

}  // namespace

std::string validUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    valid += length ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string printable(std::string_view text) {
  return withEscapes(validUtf8(text));
}

std::size_t textWidth(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string readableBytes(std::uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{} B", bytes) : sizeText(bytes);
}

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

void writeFindingsText(Output& output, const std::vector<Finding>& findings, std::size_t leftOut, std::size_t limit) {
  if (findings.empty()) return;
  TextTable table({{"Finding"}, {"Address"}, {"What"}});
  const std::size_t shown = std::min(limit, findings.size());
  for (const Finding& finding : std::span(findings).first(shown)) {
    table.addRow({toString(finding.kind), finding.address ? toString(finding.address) : "", finding.message});
  }
  table.write(output);
  const std::size_t more = findings.size() - shown + leftOut;
  if (more) output.write("and " + countOf(more, "more finding") + ".\n");
}

}  // namespace heapscape::engine
