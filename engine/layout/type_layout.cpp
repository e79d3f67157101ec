// SPDX-License-Identifier: MIT
#include "layout/type_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heapscape::engine {

LayoutUnit TypeLayout::unit() const {
  if (kind == TypeKind::Array) return LayoutUnit::Element;
  return valueSize ? LayoutUnit::Value : LayoutUnit::Object;
}

std::uint32_t TypeLayout::unitBytes() const {
  return unit() == LayoutUnit::Element ? componentSize : valueSize.value_or(baseSize);
}

void TypeLayout::addLevel(std::string declaringType, Address itsMethodTable, std::vector<LayoutField> declared) {
  if (declared.empty()) return;
  std::uint32_t start = declared.front().offset;
  std::uint32_t end = start;
  for (const LayoutField& field : declared) {
    start = std::min(start, field.offset);
    end = std::max(end, field.offset + field.sizeBytes * field.repeat);
  }
  levels.push_back({std::move(declaringType), itsMethodTable, start, end - start});
  std::move(declared.begin(), declared.end(), std::back_inserter(fields));
}

std::string TypeLayout::continuesText() const {
  constexpr std::size_t kShown = 3;
  if (continues.empty()) return {};
  const std::size_t shown = std::min(continues.size(), kShown);
  std::string text =
      fmt::format("saved locals of {}", fmt::join(continues.begin(), continues.begin() + std::ptrdiff_t(shown), "; "));
  return continues.size() > shown ? fmt::format("{}; and {} more", text, continues.size() - shown) : text;
}

void TypeLayout::sortByOffset(std::vector<LayoutField>& fields) {
  // Most lie in their order, and a field is much to move.
  if (!std::ranges::is_sorted(fields, {}, &LayoutField::offset))
    std::ranges::stable_sort(fields, {}, &LayoutField::offset);
}

void TypeLayout::move(std::vector<LayoutField>& fields, std::uint32_t by) {
  for (LayoutField& field : fields) {
    field.offset += by;
    move(field.nested, by);
  }
}

}  // namespace heapscape::engine
