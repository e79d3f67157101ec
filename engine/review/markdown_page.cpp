// SPDX-License-Identifier: MIT
#include "review/markdown_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/unicode.h"
#include "output/text.h"
#include "tables/cell.h"

namespace heapscape::engine {
namespace {

// Signs that may begin markup, mention somebody or lead to another issue. Some only do so in certain places; escaped
// they are shown as themselves everywhere.
constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~&@!+-.()=:$";

bool isSeldomMarkup(char character) {
  return std::string_view("-.()=:+!").find(character) != std::string_view::npos;
}

/// On one line. Signs that are markup only at a line's beginning are escaped there alone, for who reads it as text.
std::string escapedLine(std::string_view text, bool beginsLine = false) {
  std::string escaped;
  const std::string valid = withEscapes(validUtf8(text), "\n\t");
  bool isAtStart = beginsLine;
  for (const char character : valid) {
    if (character == '\n' || character == '\t') {
      escaped += ' ';
      continue;
    }
    if (character == '@') {
      escaped += "&#64;";  // a mention, however it is escaped
    } else {
      const bool isMarkup = kMarkup.find(character) != std::string_view::npos;
      if (isMarkup && (isAtStart || !isSeldomMarkup(character))) escaped += '\\';
      escaped += character;
    }
    // "1." begins a list.
    isAtStart = isAtStart && (character == ' ' || (character >= '0' && character <= '9'));
  }
  return escaped;
}

void appendParagraphs(std::string& markdown, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    markdown += escapedLine(line, true) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  markdown += '\n';
}

/// A name of the program stands as code. A code span ends at the first backtick, and a cell at a stroke even in it.
std::string cellText(const ReviewColumn& column, const ReviewCell& cell) {
  const bool isCode = column.kind == ColumnKind::TypeName || column.kind == ColumnKind::Address;
  if (!isCode || cell.text.empty() || cell.text.find_first_of("`|\\") != std::string::npos)
    return escapedLine(cell.text);
  return fmt::format("`{}`", withEscapes(validUtf8(cell.text)));
}

void appendMarkdownTable(std::string& markdown, const ReviewTable& table) {
  if (table.columns.empty()) return;
  std::string rule = "|";
  markdown += '|';
  for (const ReviewColumn& column : table.columns) {
    markdown += fmt::format(" {} |", escapedLine(column.title));
    rule += isFigure(column.kind) ? " ---: |" : " --- |";
  }
  markdown += fmt::format("\n{}\n", rule);
  const std::size_t shown = std::min(table.rows.size(), kMarkdownRows);
  for (std::size_t row = 0; row < shown; ++row) {
    markdown += '|';
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      static const ReviewCell kMissing;
      const bool isThere = column < table.rows[row].size();
      markdown += fmt::format(" {} |", cellText(table.columns[column], isThere ? table.rows[row][column] : kMissing));
    }
    markdown += '\n';
  }
  if (const std::uint64_t left = rowsInAll(table) - shown; left > 0)
    markdown += fmt::format("\n{} more {}.\n", readableCount(left), left == 1 ? "row" : "rows");
  markdown += '\n';
}

void appendDump(std::string& markdown, const ReviewBoard& board) {
  if (board.dump.empty() && board.summary.empty()) return;
  markdown += escapedLine(board.dump, true);
  if (!board.dump.empty() && !board.summary.empty()) markdown += ": ";
  markdown += escapedLine(board.summary) + "\n\n";
}

void appendMarkdownPage(std::string& markdown, const ReviewPage& page, std::string_view heading) {
  markdown += fmt::format("{} {}\n\n", heading, escapedLine(page.title.empty() ? "Untitled page" : page.title));
  appendParagraphs(markdown, page.note);
  appendParagraphs(markdown, page.remark);
  if (const auto* table = std::get_if<ReviewTable>(&page.content)) appendMarkdownTable(markdown, *table);
  if (std::holds_alternative<ReviewPicture>(page.content))
    markdown += "_A picture: attach the exported review, or the picture itself._\n\n";
  if (!page.source.empty()) markdown += fmt::format("<sub>Heapscape, {}</sub>\n\n", escapedLine(page.source));
}

/// Without empty lines one after the other or at the end.
std::string tidied(const std::string& markdown) {
  std::string tidy;
  for (const char character : markdown) {
    if (character == '\n' && tidy.ends_with("\n\n")) continue;
    tidy += character;
  }
  while (tidy.ends_with("\n\n")) tidy.pop_back();
  return tidy;
}

}  // namespace

std::string markdownOf(const ReviewBoard& board) {
  const std::string title =
      board.title.empty() ? "Review of " + (board.dump.empty() ? "a dump" : board.dump) : board.title;
  std::string markdown = fmt::format("## {}\n\n", escapedLine(title));
  appendDump(markdown, board);
  for (const ReviewPage& page : board.pages) appendMarkdownPage(markdown, page, "###");
  return tidied(markdown);
}

std::string markdownOf(const ReviewBoard& board, std::size_t page) {
  std::string markdown;
  if (page >= board.pages.size()) return markdown;
  appendMarkdownPage(markdown, board.pages[page], "##");
  appendDump(markdown, board);
  return tidied(markdown);
}

}  // namespace heapscape::engine
