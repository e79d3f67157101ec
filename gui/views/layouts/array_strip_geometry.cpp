// SPDX-License-Identifier: MIT
#include "views/layouts/array_strip_geometry.h"

#include <algorithm>
#include <numeric>

#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutPart;

namespace {

constexpr std::int64_t kFewest = 4;
constexpr std::int64_t kMost = 8;

bool crosses(const ArrayElements& elements, std::int64_t index) {
  const std::int64_t begin = elements.elementOffset + index * elements.stride;
  return elements.stride <= kCacheLineBytes && crossesCacheLine(begin, begin + elements.stride);
}

}  // namespace

LineRhythm lineRhythm(const ArrayElements& elements) {
  if (elements.stride <= 0) return {};
  LineRhythm rhythm;
  rhythm.elements = kCacheLineBytes / std::gcd(elements.stride, kCacheLineBytes);
  for (std::int64_t index = 0; index < rhythm.elements; ++index) rhythm.straddling += crosses(elements, index) ? 1 : 0;
  return rhythm;
}

ArrayStripGeometry layOutArrayStrip(const ArrayElements& elements, const QRectF& room, double leastByteWidth) {
  ArrayStripGeometry strip;
  if (elements.stride <= 0 || room.width() <= 0) return strip;
  const auto fitting =
      static_cast<std::int64_t>(room.width() / (leastByteWidth * static_cast<double>(elements.stride)));
  const std::int64_t count = std::clamp(fitting, kFewest, kMost);
  const std::int64_t bytes = count * elements.stride;
  strip.byteWidth = room.width() / static_cast<double>(bytes);
  const auto at = [&](std::int64_t byte) { return room.left() + static_cast<double>(byte) * strip.byteWidth; };
  const auto span = [&](std::int64_t begin, std::int64_t end) {
    return QRectF(QPointF(at(begin), room.top()), QPointF(at(end), room.bottom()));
  };
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t begin = index * elements.stride;
    strip.elements.push_back({span(begin, begin + elements.stride), crosses(elements, index)});
    if (!elements.element) continue;
    for (const LayoutItem& item : elements.element->items) {
      if (item.part == LayoutPart::Padding) strip.paddings.push_back(span(begin + item.begin, begin + item.end));
    }
  }
  const std::int64_t first = (kCacheLineBytes - elements.elementOffset % kCacheLineBytes) % kCacheLineBytes;
  for (std::int64_t line = first; line < bytes; line += kCacheLineBytes) strip.lines.push_back(at(line));
  return strip;
}

}  // namespace heapscape::gui
