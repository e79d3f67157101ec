// SPDX-License-Identifier: MIT
#include "review/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/unicode.h"
#include "output/text.h"
#include "review/drawing_check.h"
#include "review/svg_drawing.h"

namespace heapscape::engine {

std::string escapedMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  for (const char character : withEscapes(validUtf8(text), "\n\t")) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

namespace {

constexpr std::size_t kRowsWithoutScrolling = 25;
constexpr std::size_t kLongWord = 40;  // a column would be as wide as the longest of its words

const char* cellClassOf(ColumnKind kind) {
  if (kind == ColumnKind::TypeName) return "type";
  if (kind == ColumnKind::Address) return "address";
  return isFigure(kind) ? "figure" : "words";
}

/// The largest figure of a column of bytes, to compare the others with; 0 for other columns.
std::int64_t mostOf(const ReviewTable& table, std::size_t column) {
  if (table.columns[column].kind != ColumnKind::Bytes) return 0;
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
  if (cellClassOf(column.kind) == std::string_view("words") && hasLongWord(cell.text)) html += " long";
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
  if (column.kind == ColumnKind::TypeName) {
    appendTypeName(html, cell.text);
  } else {
    html += escapedMarkup(cell.text);
  }
  html += "</td>";
}

}  // namespace

std::string exactText(ColumnKind kind, const ReviewCell& cell) {
  const bool isBytes = kind == ColumnKind::Bytes || isSigned(kind);
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

namespace {

unsigned digitOf(char character) {
  return static_cast<unsigned>(character <= '9' ? character - '0' : character - 'a' + 10);
}

/// As a Content-Security-Policy names a script: the bytes of the hash in base64.
std::string base64OfHex(std::string_view hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 6) {
    std::uint32_t bits = 0;
    for (std::size_t digit = 0; digit < 6; ++digit) {
      bits = bits << 4 | (i + digit < hex.size() ? digitOf(hex[i + digit]) : 0);
    }
    const std::size_t bytes = std::min<std::size_t>(3, (hex.size() - i) / 2);
    for (std::size_t place = 0; place < 4; ++place) {
      text += place <= bytes ? kDigits[bits >> (18 - 6 * place) & 0x3f] : '=';
    }
  }
  return text;
}

/// Nothing may be fetched or sent, and no script but our own may run.
std::string contentPolicy() {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      base64OfHex(kPageScriptSha256));
}

std::string titleOf(const ReviewBoard& board) {
  return board.title.empty() ? "Review of " + (board.dump.empty() ? "a dump" : board.dump) : board.title;
}

std::string titleOf(const ReviewPage& page) {
  return page.title.empty() ? "Untitled page" : page.title;
}

void appendHead(std::string& html, const ReviewBoard& board) {
  html += fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
      contentPolicy(), escapedMarkup(titleOf(board)), colourStyle(), kPageStyle);
}

void appendParagraph(std::string& html, const char* style, std::string_view text) {
  if (!text.empty()) html += fmt::format("<p class=\"{}\">{}</p>\n", style, escapedMarkup(text));
}

void appendContents(std::string& html, const ReviewBoard& board) {
  if (board.pages.size() < 2) return;
  html += "<nav aria-label=\"Contents\"><h2>Contents</h2><ol>\n";
  for (std::size_t i = 0; i < board.pages.size(); ++i) {
    html += fmt::format("<li><a href=\"#page-{0}\"><span class=\"number\">{0}</span><span>{1}</span></a></li>\n", i + 1,
                        escapedMarkup(titleOf(board.pages[i])));
  }
  html += "</ol></nav>\n";
}

void appendPicture(std::string& html, const ReviewPicture& picture, std::size_t number) {
  const auto drawing = inlineDrawing(picture.svg, fmt::format("p{}-", number));
  if (drawing) {
    html += fmt::format("<figure style=\"width:min(100%,{:.2f}pt)\">{}</figure>\n", picture.width, *drawing);
  } else {
    appendParagraph(html, "remark", drawing.error().what);
  }
}

void appendPage(std::string& html, const ReviewPage& page, std::size_t number) {
  html += fmt::format(
      "<section id=\"page-{0}\" aria-labelledby=\"title-{0}\">\n"
      "<h2 id=\"title-{0}\"><span class=\"number\">{0}</span><span>{1}</span></h2>\n",
      number, escapedMarkup(titleOf(page)));
  appendParagraph(html, "source", page.source);
  appendParagraph(html, "note", page.note);
  appendParagraph(html, "remark", page.remark);
  if (const auto* table = std::get_if<ReviewTable>(&page.content); table && !table->columns.empty()) {
    appendHtmlTable(html, *table, titleOf(page));
  }
  if (const auto* picture = std::get_if<ReviewPicture>(&page.content)) appendPicture(html, *picture, number);
  html += "</section>\n";
}

}  // namespace

std::string htmlPage(const ReviewBoard& board) {
  std::string html;
  appendHead(html, board);
  html += "<body>\n<header>\n";
  appendParagraph(html, "dump", board.title.empty() ? std::string() : board.dump);
  html += fmt::format("<h1>{}</h1>\n", escapedMarkup(titleOf(board)));
  appendParagraph(html, "summary", board.summary);
  html += "</header>\n";
  appendContents(html, board);
  html += "<main>\n";
  for (std::size_t i = 0; i < board.pages.size(); ++i) appendPage(html, board.pages[i], i + 1);
  html += fmt::format("</main>\n<footer>Made with Heapscape.</footer>\n<script>{}</script>\n</body>\n</html>\n",
                      kPageScript);
  return html;
}

}  // namespace heapscape::engine
