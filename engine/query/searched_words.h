// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace heapscape::engine {

/// The longest word of a text: letters and digits of ASCII, in lower case as the text is. Empty if there is none.
std::string longestWord(std::string_view text);

/// The longest such word that every text holds, in letters of either case, in which the expression is found. Empty if
/// none of two letters or more is certain to be there.
std::string wordOfPattern(const re2::RE2& pattern);

}  // namespace heapscape::engine
