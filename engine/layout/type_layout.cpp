// SPDX-License-Identifier: MIT
#include "layout/type_layout.h"

namespace heapscape::engine {

const char* toString(LayoutUnit unit) {
  switch (unit) {
    case LayoutUnit::Object:
      return "object";
    case LayoutUnit::Value:
      return "value";
    case LayoutUnit::Element:
      return "element";
  }
  return "unknown";
}

LayoutUnit TypeLayout::unit() const {
  if (kind == TypeKind::Array) return LayoutUnit::Element;
  return valueSize ? LayoutUnit::Value : LayoutUnit::Object;
}

std::uint32_t TypeLayout::unitBytes() const {
  return unit() == LayoutUnit::Element ? componentSize : valueSize.value_or(baseSize);
}

}  // namespace heapscape::engine
