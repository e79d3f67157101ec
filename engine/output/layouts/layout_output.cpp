// SPDX-License-Identifier: MIT
#include "output/layouts/layout_output.h"

#include <fmt/format.h>

#include <string>

#include "layout/closed_values.h"
#include "layout/layout_items.h"
#include "metadata/names/type_name.h"
#include "output/layouts/layout_box.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

const char* kindName(FieldKind kind) {
  switch (kind) {
    case FieldKind::Reference:
      return "reference";
    case FieldKind::Primitive:
      return "primitive";
    case FieldKind::Pointer:
      return "pointer";
    case FieldKind::ValueType:
      return "valueType";
  }
  return "unknown";
}

/// The assembly's own name, as a type's full name in .NET has it: its file without the ending.
std::string assemblyName(const std::string& fileName) {
  return fileName.ends_with(".dll") || fileName.ends_with(".exe") ? fileName.substr(0, fileName.size() - 4) : fileName;
}

void writeFields(JsonWriter& json, std::string_view name, const std::vector<LayoutField>& fields) {
  const std::vector<bool> overlaps = overlappingFields(fields);
  json.key(name);
  json.beginArray();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const LayoutField& field = fields[i];
    json.beginObject();
    json.member("declaringType", metadataTypeName(field.declaringType));
    json.member("name", field.name);
    json.member("fieldType", metadataTypeName(field.typeName));
    json.member("offset", field.offset);
    json.member("size", field.sizeBytes);
    if (field.repeat > 1) json.member("repeat", field.repeat);
    json.member("kind", kindName(field.kind));
    if (overlaps[i]) json.member("overlaps", true);
    writeFields(json, "nested", field.nested);
    json.endObject();
  }
  json.endArray();
}

void writeDeclared(JsonWriter& json, const TypeLayout& layout) {
  json.key("declared");
  if (!layout.declaredKind) {
    json.null();
    return;
  }
  json.beginObject();
  json.member("layoutKind", toString(*layout.declaredKind));
  json.member("pack", layout.declaredPack);
  json.member("size", layout.declaredSize);
  json.endObject();
}

void writePaddings(JsonWriter& json, const TypeLayout& layout) {
  json.key("paddings");
  json.beginArray();
  for (const Padding& padding : layout.paddings) {
    json.beginObject();
    json.member("offset", padding.offset);
    json.member("size", padding.sizeBytes);
    json.member("in", metadataTypeName(padding.in));
    json.endObject();
  }
  json.endArray();
  json.member("paddingBytes", layout.paddingBytes());
  json.member("ownPaddingBytes", layout.ownPaddingBytes);
  json.member("nestedPaddingBytes", layout.nestedPaddingBytes);
  if (const std::uint32_t closed = closedPaddingBytes(layout)) json.member("closedPaddingBytes", closed);
}

void writeReferences(JsonWriter& json, const TypeLayout& layout) {
  json.key("references");
  json.beginArray();
  for (const auto& [offset, bytes] : layout.references) {
    json.beginArray();
    json.value(offset);
    json.value(bytes);
    json.endArray();
  }
  json.endArray();
}

void writeArray(JsonWriter& json, const TypeLayout& layout) {
  json.member("rank", layout.rank);
  json.member("elementType", metadataTypeName(layout.elementTypeName));
  json.member("elementSize", layout.componentSize);
  json.member("elementOffset", layout.elementOffset);
  if (layout.elementLayout.empty()) return;
  json.key("elementLayout");
  writeLayout(json, layout.elementLayout.front());
}

void writeMembers(JsonWriter& json, const TypeLayout& layout) {
  json.member("type", metadataTypeName(layout.typeName));
  json.member("name", layout.typeName);
  json.member("assembly", assemblyName(layout.assembly));
  json.member("methodTable", layout.methodTable);
  // To the runtime, and to layout files of other tools, String is a class like others.
  json.member("kind", toString(layout.kind == TypeKind::String ? TypeKind::Class : layout.kind));
  writeDeclared(json, layout);
  json.member("effective", toString(layout.effectiveKind));
  if (!layout.continues.empty()) {
    json.key("continues");
    json.beginArray();
    for (const std::string& place : layout.continues) json.value(place);
    json.endArray();
  }
  json.member("baseSize", layout.baseSize);
  if (layout.valueSize) json.member("valueSize", *layout.valueSize);
  json.member("componentSize", layout.componentSize);
  json.member("fieldsBytes", layout.fieldsBytes);
  writeFields(json, "fields", layout.fields);
  writePaddings(json, layout);
  writeReferences(json, layout);
  if (layout.kind == TypeKind::Array) writeArray(json, layout);
}

void writeReasons(JsonWriter& json, const std::vector<FieldReason>& reasons) {
  json.key("reasons");
  json.beginArray();
  for (const FieldReason& reason : reasons) {
    json.beginObject();
    json.member("declaringType", metadataTypeName(reason.declaringType));
    json.member("name", reason.name);
    json.member("offset", reason.offset);
    json.member("why", reason.why);
    json.endObject();
  }
  json.endArray();
}

std::string kindText(const TypeLayout& layout) {
  std::string text = layout.continues.empty() ? toString(layout.kind) : layout.continuesText();
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

void writeLayout(JsonWriter& json, const TypeLayout& layout) {
  json.beginObject();
  writeMembers(json, layout);
  json.endObject();
}

void writeVariantMembers(JsonWriter& json, const LayoutVariant& variant) {
  writeMembers(json, variant.layout);
  if (variant.alignment) json.member("alignment", *variant.alignment);
  json.member("rules", toString(variant.question.rules));
  if (variant.question.pack) json.member("pack", *variant.question.pack);
  if (variant.question.runtimeMajor) json.member("runtime", *variant.question.runtimeMajor);
  if (!variant.remark.empty()) json.member("remark", variant.remark);
  if (!variant.reasons.empty()) writeReasons(json, variant.reasons);
}

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
