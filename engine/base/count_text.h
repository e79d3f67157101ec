// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// "1,234,567".
std::string readableCount(std::uint64_t count);

/// "1 object", "1,234 objects": the noun takes an s where there is not exactly one.
std::string countOf(std::uint64_t count, std::string_view noun);

/// Whole percent, cut off; 0 of nothing.
std::uint64_t percentOf(std::uint64_t part, std::uint64_t whole);

}  // namespace heapscape::engine
