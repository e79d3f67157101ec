// SPDX-License-Identifier: MIT
#include "layout/closed_values.h"

#include <algorithm>
#include <vector>

namespace heapscape::engine {
namespace {

bool liesDeeper(const std::vector<LayoutField>& fields, std::uint64_t offset, std::size_t levels) {
  const auto around = std::ranges::find_if(fields, [offset](const LayoutField& field) {
    const std::uint64_t end = field.offset + std::uint64_t{field.sizeBytes} * field.repeat;
    return !field.nested.empty() && field.sizeBytes && offset >= field.offset && offset < end;
  });
  if (around == fields.end()) return false;
  if (levels == 0) return true;
  // The fields of a repeated value are described for its first element.
  const std::uint64_t inFirst = around->offset + (offset - around->offset) % around->sizeBytes;
  return liesDeeper(around->nested, inFirst, levels - 1);
}

void close(std::vector<LayoutField>& fields, std::size_t levels) {
  for (LayoutField& field : fields) {
    if (levels) {
      close(field.nested, levels - 1);
    } else {
      field.nested.clear();
    }
  }
}

}  // namespace

void closeValuesBelow(TypeLayout& layout, std::size_t levels) {
  for (TypeLayout& element : layout.elementLayout) closeValuesBelow(element, levels);
  std::erase_if(layout.paddings, [&](const Padding& padding) {
    return padding.isNested && liesDeeper(layout.fields, padding.offset, levels);
  });
  close(layout.fields, levels);
}

std::uint32_t closedPaddingBytes(const TypeLayout& layout) {
  std::uint32_t open = 0;
  for (const Padding& padding : layout.paddings) open += padding.sizeBytes;
  return layout.paddingBytes() - std::min(layout.paddingBytes(), open);
}

}  // namespace heapscape::engine
