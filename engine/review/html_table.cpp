// SPDX-License-Identifier: MIT
#include "review/html_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"
#include "review/markup.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kRowsWithoutScrolling = 25;
constexpr std::size_t kLongWord = 40;  // a column would be as wide as the longest of its words

const char* cellClassOf(ReviewCellKind kind) {
  switch (kind) {
    case ReviewCellKind::TypeName:
      return "type";
    case ReviewCellKind::Address:
      return "address";
    case ReviewCellKind::Text:
      return "words";
    case ReviewCellKind::Count:
    case ReviewCellKind::Bytes:
    case ReviewCellKind::SignedBytes:
    case ReviewCellKind::Percent:
      break;
  }
  return "figure";
}

/// The largest figure of a column of bytes, to compare the others with; 0 for other columns.
std::int64_t mostOf(const ReviewTable& table, std::size_t column) {
  if (table.columns[column].kind != ReviewCellKind::Bytes) return 0;
  std::int64_t most = 0;
  for (const auto& row : table.rows) {
    if (column < row.size()) most = std::max(most, row[column].number.value_or(0));
  }
  return most;
}

/// Where the name proper begins: behind the last dot before brackets and nested types.
std::size_t nameBegin(std::string_view name) {
  const std::size_t dot = name.substr(0, name.find_first_of("<[+")).rfind('.');
  return dot == std::string_view::npos ? 0 : dot + 1;
}

bool hasLongWord(std::string_view text) {
  std::size_t letters = 0;
  return std::ranges::any_of(text, [&letters](char letter) {
    letters = letter == ' ' || letter == '\n' ? 0 : letters + 1;
    return letters > kLongWord;
  });
}

void appendTypeName(std::string& html, std::string_view name) {
  const std::size_t begin = nameBegin(name);
  if (begin) html += fmt::format("<span class=\"space\">{}</span><wbr>", escapedMarkup(name.substr(0, begin)));
  html += escapedMarkup(name.substr(begin));
}

void appendCell(std::string& html, const ReviewColumn& column, const ReviewCell& cell, std::int64_t most) {
  html += fmt::format("<td class=\"{}", cellClassOf(column.kind));
  if (column.kind == ReviewCellKind::Text && hasLongWord(cell.text)) html += " long";
  const bool hasShare = most > 0 && cell.number.value_or(0) > 0;
  if (hasShare) {
    const double share = static_cast<double>(*cell.number) / static_cast<double>(most);
    html += fmt::format(" share\" style=\"--share:{:.4f}", std::min(share, 1.0));
  }
  html += '"';
  if (cell.number) html += fmt::format(" data-n=\"{}\"", *cell.number);
  if (const std::string exact = exactText(column.kind, cell); !exact.empty()) {
    html += fmt::format(" title=\"{}\"", exact);
  }
  html += '>';
  if (column.kind == ReviewCellKind::TypeName) {
    appendTypeName(html, cell.text);
  } else {
    html += escapedMarkup(cell.text);
  }
  html += "</td>";
}

}  // namespace

bool isFigure(ReviewCellKind kind) {
  return kind == ReviewCellKind::Count || kind == ReviewCellKind::Bytes || kind == ReviewCellKind::SignedBytes ||
         kind == ReviewCellKind::Percent;
}

std::string exactText(ReviewCellKind kind, const ReviewCell& cell) {
  const bool isBytes = kind == ReviewCellKind::Bytes || kind == ReviewCellKind::SignedBytes;
  if (!isBytes || !cell.number) return {};
  const bool isNegative = *cell.number < 0;
  const std::uint64_t size =
      isNegative ? 0 - static_cast<std::uint64_t>(*cell.number) : static_cast<std::uint64_t>(*cell.number);
  return fmt::format("{}{}", isNegative ? "−" : "", countOf(size, "byte"));
}

void appendHtmlTable(std::string& html, const ReviewTable& table, std::string_view title) {
  std::vector<std::int64_t> most(table.columns.size());
  for (std::size_t column = 0; column < most.size(); ++column) most[column] = mostOf(table, column);
  html += fmt::format(
      "<div class=\"scroll{0}\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\">\n"
      "<table aria-label=\"{1}\"><thead><tr>",
      table.rows.size() <= kRowsWithoutScrolling ? " short" : "", escapedMarkup(title));
  for (const ReviewColumn& column : table.columns) {
    html += fmt::format("<th scope=\"col\"{}>{}</th>", isFigure(column.kind) ? " class=\"figure\"" : "",
                        escapedMarkup(column.title));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      static const ReviewCell kMissing;
      appendCell(html, table.columns[column], column < row.size() ? row[column] : kMissing, most[column]);
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  if (table.rowsLeftOut) {
    html += fmt::format("<p class=\"more\">{} more {} not on this page.</p>\n", readableCount(table.rowsLeftOut),
                        table.rowsLeftOut == 1 ? "row is" : "rows are");
  }
}

}  // namespace heapscape::engine
