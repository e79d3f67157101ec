// SPDX-License-Identifier: MIT
#include "report/layout_text.h"

#include <fmt/format.h>

#include <string>

#include "report/layout_box.h"
#include "report/text.h"

namespace heapscape::engine {

namespace {

std::string kindText(const TypeLayout& layout) {
  std::string text = toString(layout.kind);
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

std::string paddingText(const TypeLayout& layout) {
  const std::uint32_t padding = layout.paddingBytes();
  std::string text = fmt::format("{} (%{} of empty space in the {}", bytesText(padding),
                                 percentOf(padding, layout.fieldsBytes), layout.valueSize ? "value" : "fields");
  if (!layout.valueSize) text += fmt::format(", %{} of the object", percentOf(padding, layout.baseSize));
  if (layout.nestedPaddingBytes) {
    text += fmt::format("; {} own, {} nested", layout.ownPaddingBytes, layout.nestedPaddingBytes);
  }
  return text + ")";
}

}  // namespace

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
