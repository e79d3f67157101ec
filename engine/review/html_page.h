// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "review/board.h"

namespace heapscape::engine {

// Parts of every page: engine/review/page.css and page.js.
extern const char* const kPageStyle;
extern const char* const kPageScript;
extern const char* const kPageScriptSha256;  // in hexadecimal digits

/// Text as it may stand between tags and in quoted attributes of HTML and XML: valid, with escapes for what
/// would not show (base/unicode.h) but for lines and tabs, and with & < > " ' escaped.
std::string escapedMarkup(std::string_view text);

/// The exact number of bytes that a rounded figure stands for. Empty where there is no more to say.
std::string exactText(ColumnKind kind, const ReviewCell& cell);

void appendHtmlTable(std::string& html, const ReviewTable& table, std::string_view title);

/// The board as one HTML page that needs nothing but itself: it may be sent by mail, fetches nothing (and is not
/// allowed to), is whole without scripts, and looks right in light, dark and on paper. Everything in it is escaped;
/// pictures are checked again, and one that does more than draw is left out.
std::string htmlPage(const ReviewBoard& board);

}  // namespace heapscape::engine
