// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/figures.h"

namespace heapscape::engine {

/// The text as valid UTF-8: every byte that is none becomes U+FFFD.
std::string validUtf8(std::string_view text);

/// Safe to show on a terminal and in a cell: valid UTF-8, with an escape ("\0", base/unicode.h) for what
/// would not show.
std::string printable(std::string_view text);

/// Columns that the text takes up on a terminal, one for each code point.
std::size_t textWidth(std::string_view text);

/// "512 B", "1.43 MB": three significant digits, steps of 1024.
std::string readableBytes(std::uint64_t bytes);

}  // namespace heapscape::engine
