// SPDX-License-Identifier: MIT
#include "output/layouts/layout_text.h"

#include <fmt/format.h>

#include <string>

#include "layout/closed_values.h"
#include "output/layouts/layout_box.h"
#include "output/text.h"

namespace heapscape::engine {

namespace {

std::string kindText(const TypeLayout& layout) {
  std::string text = toString(layout.kind);
  if (layout.kind == TypeKind::Array)
    return layout.elementLayout.empty() ? text : text + ", each element a " + kindText(layout.elementLayout.front());
  if (layout.declaredKind) {
    text += fmt::format(", declared {}", toString(*layout.declaredKind));
    if (layout.declaredPack) text += fmt::format(" with pack {}", layout.declaredPack);
    if (layout.declaredSize) text += fmt::format(" with size {}", layout.declaredSize);
    if (*layout.declaredKind == layout.effectiveKind) return text;
  }
  return text + fmt::format(", laid out {}", toString(layout.effectiveKind));
}

std::string sizeText(const TypeLayout& layout) {
  if (layout.valueSize) return bytesText(*layout.valueSize) + fmt::format(" (boxed {})", layout.baseSize);
  std::string text = bytesText(layout.baseSize);
  if (layout.componentSize) return text + fmt::format(" and {} for each element", layout.componentSize);
  return text + fmt::format(" ({} of fields)", layout.fieldsBytes);
}

/// Of an array what each of its elements has.
std::string paddingText(const TypeLayout& layout) {
  const TypeLayout& unit = layout.unitLayout();
  const std::uint32_t padding = unit.paddingBytes();
  std::string text = bytesText(padding);
  if (layout.unit() == LayoutUnit::Element) text += " in each element";
  text += fmt::format(" (%{} of empty space in the {}", percentOf(padding, unit.fieldsBytes), spaceOf(layout.unit()));
  if (layout.unit() == LayoutUnit::Object)
    text += fmt::format(", %{} of the object", percentOf(padding, layout.baseSize));
  if (unit.nestedPaddingBytes) {
    text += fmt::format("; {} own, {} nested", unit.ownPaddingBytes, unit.nestedPaddingBytes);
    if (const std::uint32_t closed = closedPaddingBytes(unit)) text += fmt::format(", {} of these not drawn", closed);
  }
  return text + ")";
}

}  // namespace

const char* spaceOf(LayoutUnit unit) {
  return unit == LayoutUnit::Object ? "fields" : toString(unit);
}

void writeLayoutTitle(Output& output, const TypeLayout& layout) {
  output.write(fmt::format("Type layout for '{}' ({})\n", printable(layout.typeName), kindText(layout)));
}

void writeLayoutText(Output& output, const TypeLayout& layout) {
  writeLayoutTitle(output, layout);
  output.write(fmt::format("Size: {}. Paddings: {}\n", sizeText(layout), paddingText(layout)));
  for (const std::string& line : layoutBox(layout).draw()) {
    output.write(line);
    output.write('\n');
  }
}

}  // namespace heapscape::engine
