// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/cache_lines.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutPart;

std::optional<std::int64_t> crossesCacheLine(std::int64_t begin, std::int64_t end) {
  // Offsets before the object are those of its header; −8 belongs to the line before.
  const std::int64_t shifted = begin + kCacheLineBytes;
  const std::int64_t next = (shifted / kCacheLineBytes + 1) * kCacheLineBytes - kCacheLineBytes;
  if (next >= end) return std::nullopt;
  return next;
}

std::optional<std::int64_t> straddles(const LayoutItem& item) {
  const bool isValue = item.part == LayoutPart::Field || item.part == LayoutPart::Element;
  if (!isValue || item.sizeBytes() > kCacheLineBytes) return std::nullopt;
  return crossesCacheLine(item.begin, item.end);
}

}  // namespace heapscape::gui
