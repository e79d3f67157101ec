// SPDX-License-Identifier: MIT
#include "base/figures.h"

#include <fmt/format.h>
#include <array>
#include <cstddef>

namespace heapscape::engine {

std::string readableCount(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string countOf(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", readableCount(count), noun, count == 1 ? "" : "s");
}

std::uint64_t percentOf(std::uint64_t part, std::uint64_t whole) {
  __extension__ using Wide = unsigned __int128;  // a hundred times a part may need more than 64 bits
  return whole ? static_cast<std::uint64_t>(Wide{part} * 100 / whole) : 0;
}

RoundedBytes roundBytes(std::uint64_t bytes) {
  if (bytes < 1024) return {static_cast<double>(bytes), 0, "B"};
  constexpr std::array kUnits{"KB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // A figure that would be rounded to 1024 is shown as 1 of the next unit.
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  // 9.996 has to come out as "10.0", so the number of decimals follows from the rounded value.
  return {value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]};
}

RoundedPercent roundPercent(std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0) return {};
  if (part == whole) return {.value = 100};
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.05) return {.value = 0.1, .decimals = 1, .bound = '<'};
  if (part < whole && percent >= 99.95) return {.value = 99.9, .decimals = 1, .bound = '>'};
  return {.value = percent, .decimals = 1};
}

std::string sizeText(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  const RoundedBytes rounded = roundBytes(bytes);
  return fmt::format("{:.{}f} {}", rounded.value, rounded.decimals, rounded.unit);
}

}  // namespace heapscape::engine
