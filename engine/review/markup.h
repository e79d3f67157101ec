// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// Text as it may stand between tags and in quoted attributes of HTML and XML: valid, with escapes for what
/// would not show (base/unicode.h) but for lines and tabs, and with & < > " ' escaped.
std::string escapedMarkup(std::string_view text);

}  // namespace heapscape::engine
