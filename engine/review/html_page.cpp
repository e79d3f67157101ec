// SPDX-License-Identifier: MIT
#include "review/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "review/drawing_check.h"
#include "review/html_table.h"
#include "review/markup.h"
#include "review/page_parts.h"
#include "review/svg_colours.h"

namespace heapscape::engine {
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
