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

/// A size in three digits, 1 MB being 1024 KB: 1.43 MB, 14.3 MB, 143 MB. Below 1 KB exact, in "B".
struct RoundedBytes {
  double value = 0;
  int decimals = 0;
  const char* unit = "B";
};
RoundedBytes roundBytes(std::uint64_t bytes);

/// A share in percent. 0 and 100 are exact and have no decimals; what rounds to them is bounded: "<0.1", ">99.9".
struct RoundedPercent {
  double value = 0;
  int decimals = 0;
  char bound = 0;  // '<' or '>'; 0 for none
};
RoundedPercent roundPercent(std::uint64_t part, std::uint64_t whole);

/// A size for sentences, in three digits: "512 bytes", "3.20 MB" (1 MB is 1024 KB).
std::string sizeText(std::uint64_t bytes);

}  // namespace heapscape::engine
