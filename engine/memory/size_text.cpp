// SPDX-License-Identifier: MIT
#include "memory/size_text.h"

#include <fmt/format.h>

#include "base/rounded_figures.h"

namespace heapscape::engine {

std::string sizeText(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  const RoundedBytes rounded = roundBytes(bytes);
  return fmt::format("{:.{}f} {}", rounded.value, rounded.decimals, rounded.unit);
}

}  // namespace heapscape::engine
