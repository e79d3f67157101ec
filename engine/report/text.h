// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// The text as valid UTF-8: every byte that is none becomes U+FFFD.
std::string validUtf8(std::string_view text);

/// Safe to show on a terminal and in a cell: valid UTF-8 without control characters ("?" instead).
std::string printable(std::string_view text);

/// Columns that the text takes up on a terminal, one for each code point.
std::size_t textWidth(std::string_view text);

/// "1,234,567".
std::string readableCount(std::uint64_t count);

/// "512 B", "1.43 MB": three significant digits, steps of 1024.
std::string readableBytes(std::uint64_t bytes);

/// "1 object", "1,234 objects": the noun takes an s where there is not exactly one.
std::string countOf(std::uint64_t count, std::string_view noun);

/// Whole percent, cut off; 0 of nothing.
std::uint64_t percentOf(std::uint64_t part, std::uint64_t whole);

}  // namespace heapscape::engine
