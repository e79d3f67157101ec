// SPDX-License-Identifier: MIT
#include "report/layout_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "report/text.h"
#include "report/text_box.h"
#include "report/type_name_forms.h"

namespace heapscape::engine {

namespace {

/// A field or a padding, in the order of offsets.
struct Part {
  std::uint32_t offset = 0;
  std::uint32_t sizeBytes = 0;
  const LayoutField* field = nullptr;  // null for a padding
};

std::string bytesText(std::uint32_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

std::string fieldText(const LayoutField& field) {
  const std::string times = field.repeat > 1 ? fmt::format(" × {}", field.repeat) : std::string();
  return printable(shortTypeName(field.typeName)) + times + ' ' + printable(field.name);
}

std::vector<Part> partsOf(std::span<const LayoutField> fields, std::span<const Padding* const> paddings) {
  std::vector<Part> parts;
  for (const LayoutField& field : fields) parts.push_back({field.offset, field.sizeBytes * field.repeat, &field});
  for (const Padding* padding : paddings) parts.push_back({padding->offset, padding->sizeBytes, nullptr});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  return parts;
}

/// The box of an object's fields, or of a value inside it.
class BoxBuilder {
 public:
  BoxBuilder(std::span<const Padding> paddings, std::uint32_t base) : m_paddings(paddings), m_base(base) {}

  void addParts(TextBox& box, const std::vector<Part>& parts, bool showsLevels) const;

 private:
  std::string range(const Part& part) const;
  TextBox nestedBox(const LayoutField& field) const;

  std::span<const Padding> m_paddings;  // of the whole object
  std::uint32_t m_base;                 // offset that is shown as 0
};

std::string BoxBuilder::range(const Part& part) const {
  const std::uint32_t first = part.offset - m_base;
  return part.sizeBytes > 1 ? fmt::format("{}-{}", first, first + part.sizeBytes - 1) : std::to_string(first);
}

void BoxBuilder::addParts(TextBox& box, const std::vector<Part>& parts, bool showsLevels) const {
  std::size_t width = 5;
  for (const Part& part : parts) width = std::max(width, range(part).size());
  const std::string* level = nullptr;
  bool isFirst = true;
  for (const Part& part : parts) {
    const bool isNewLevel = showsLevels && part.field && (!level || *level != part.field->declaringType);
    if (isNewLevel) level = &part.field->declaringType;
    if (!isFirst || isNewLevel) box.addRule('-', isNewLevel ? printable(*level) : std::string());
    isFirst = false;
    const std::string what = part.field ? fieldText(*part.field) : "padding";
    box.addRow(fmt::format("{:>{}}: {} ({})", range(part), width, what, bytesText(part.sizeBytes)));
    if (part.field && !part.field->nested.empty()) box.addBox(nestedBox(*part.field));
  }
}

TextBox BoxBuilder::nestedBox(const LayoutField& field) const {
  // No value type holds itself, so the name alone tells whose padding it is.
  std::vector<const Padding*> paddings;
  for (const Padding& padding : m_paddings) {
    const bool isInside = padding.offset >= field.offset && padding.offset - field.offset < field.sizeBytes;
    if (padding.isNested && isInside && padding.in == field.typeName) paddings.push_back(&padding);
  }
  TextBox box;
  box.addRule('=');
  BoxBuilder(m_paddings, field.offset).addParts(box, partsOf(field.nested, paddings), false);
  box.addRule('=');
  return box;
}

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

bool hasLevels(const TypeLayout& layout) {
  std::set<std::string_view> levels;
  for (const LayoutField& field : layout.fields) levels.insert(field.declaringType);
  return levels.size() > 1;
}

std::vector<Part> ownParts(const TypeLayout& layout) {
  std::vector<const Padding*> paddings;
  for (const Padding& padding : layout.paddings) {
    if (!padding.isNested) paddings.push_back(&padding);
  }
  return partsOf(layout.fields, paddings);
}

void addElements(TextBox& box, const TypeLayout& layout) {
  box.addRule('=');
  box.addRow(fmt::format("{:>5}: {} elements ({} each)", fmt::format("{}-", layout.elementOffset - 8),
                         printable(shortTypeName(layout.elementTypeName)), bytesText(layout.componentSize)));
  for (const TypeLayout& element : layout.elementLayout) {
    TextBox inner;
    inner.addRule('=');
    BoxBuilder(element.paddings, 0).addParts(inner, ownParts(element), false);
    inner.addRule('=');
    box.addBox(std::move(inner));
  }
}

}  // namespace

void writeLayoutText(Output& output, const TypeLayout& layout) {
  output.write(fmt::format("Type layout for '{}' ({})\n", printable(layout.typeName), kindText(layout)));
  output.write(fmt::format("Size: {}. Paddings: {}\n", sizeText(layout), paddingText(layout)));
  TextBox box;
  box.addRule('=');
  if (!layout.valueSize) {
    box.addRow("Object header (8 bytes)");
    box.addRule('-');
    box.addRow("Method table pointer (8 bytes)");
    box.addRule('=');
  }
  const bool isArray = layout.kind == TypeKind::Array && layout.elementOffset >= 8;
  if (isArray && layout.fields.empty()) {
    const Part lengths{0, layout.elementOffset - 8, nullptr};
    box.addRow(fmt::format("{:>5}: {} ({})", fmt::format("0-{}", lengths.sizeBytes - 1),
                           layout.rank > 1 ? "length, lengths and lower bounds" : "length",
                           bytesText(lengths.sizeBytes)));
  } else {
    BoxBuilder(layout.paddings, 0).addParts(box, ownParts(layout), hasLevels(layout));
  }
  if (isArray) addElements(box, layout);
  box.addRule('=');
  for (const std::string& line : box.draw()) {
    output.write(line);
    output.write('\n');
  }
}

}  // namespace heapscape::engine
