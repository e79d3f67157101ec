// SPDX-License-Identifier: MIT
#include "memory/size_text.h"

#include <fmt/format.h>

#include <array>

namespace heapscape::engine {

std::string sizeText(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  constexpr std::array kUnits{"KB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // What would be rounded to 1024 is shown as 1 of the next unit.
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

}  // namespace heapscape::engine
