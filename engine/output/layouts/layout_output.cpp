// SPDX-License-Identifier: MIT
#include "output/layouts/layout_output.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Padding of a type; of an array that of each element.
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

namespace {

void writeBest(JsonWriter& json, const TypeStudy& study) {
  const BestOrder& best = study.best;
  json.key("best");
  json.beginObject();
  json.member("means", toString(best.means));
  json.key("order");
  json.beginArray();
  for (const std::string& field : best.order) json.value(field);
  json.endArray();
  json.member("unit", toString(study.unit));
  json.member("size", best.instanceBytes);
  json.member("bestSize", best.bestBytes);
  if (const auto saved = study.savedOnHeap()) {
    json.key("savedOnHeap");
    json.number(std::to_string(*saved));
  }
  json.member("declaration", best.declaration);
  json.member("caution", best.caution);
  if (!best.separation.empty()) json.member("separated", best.separation);
  json.endObject();
}

void writeAdvice(JsonWriter& json, const std::vector<Advice>& advice) {
  json.key("advice");
  json.beginArray();
  for (const Advice& piece : advice) {
    json.beginObject();
    json.member("kind", toString(piece.kind));
    json.member("text", piece.text);
    json.key("savedBytes");
    json.number(std::to_string(piece.savedBytesPerInstance));
    json.endObject();
  }
  json.endArray();
}

/// What arrays of a value type, other objects and derived classes hold of it is the verb waste's to add up.
void writeOnHeap(Output& output, const TypeStudy& study) {
  const auto saved = study.savedOnHeap();
  if (!saved || !study.onHeap->objects || *saved <= 0) return;
  const char* noun = study.unit == LayoutUnit::Element ? "array" : "object";
  output.write(fmt::format("On this heap: {} fewer in {} of exactly this type{}.\n",
                           countOf(static_cast<std::uint64_t>(*saved), "byte"), countOf(study.onHeap->objects, noun),
                           study.unit == LayoutUnit::Value ? ", boxes alone" : ""));
}

void writeBest(Output& output, const TypeStudy& study) {
  const BestOrder& best = study.best;
  if (!best.separation.empty()) {
    output.write("Best: as it is. " + printable(best.separation) + '\n');
    return;
  }
  if (best.means == AdviceKind::NothingToGain) {
    output.write("Best: as it is; no declaration takes fewer bytes.\n");
  } else {
    output.write(fmt::format("Best: {} instead of {} bytes, {}% fewer in every {}.\n", best.bestBytes,
                             best.instanceBytes, percentOf(best.instanceBytes - best.bestBytes, best.instanceBytes),
                             toString(study.unit)));
    writeOnHeap(output, study);
    std::string order;
    for (const std::string& field : best.order) order += (order.empty() ? "" : ", ") + field;
    if (!order.empty()) output.write("Order: " + printable(order) + '\n');
  }
  if (!best.caution.empty()) output.write("Mind: " + printable(best.caution) + '\n');
  if (!best.declaration.empty()) output.write('\n' + best.declaration + (best.declaration.ends_with('\n') ? "" : "\n"));
  for (const Advice& piece : study.advice) output.write("- " + printable(piece.text) + '\n');
}

void writeWhy(Output& output, const LayoutAnswer& answer) {
  if (!answer.study->whyNotAsDeclared.empty()) output.write(printable(answer.study->whyNotAsDeclared) + '\n');
  for (const LayoutVariant& variant : answer.layouts) {
    if (variant.reasons.empty()) continue;
    if (answer.layouts.size() > 1) output.write("By " + captionOf(variant, true) + ":\n");
    TextTable table({{"Offset", TextTable::Align::Right}, {"Field"}, {"Why it is there"}});
    for (const FieldReason& reason : variant.reasons)
      table.addRow({std::to_string(reason.offset), reason.name, reason.why});
    table.write(output);
  }
}

}  // namespace

void writeLayoutAnswer(JsonWriter& json, const LayoutAnswer& answer) {
  for (const LayoutVariant& variant : answer.layouts) {
    json.beginObject();
    writeVariantMembers(json, variant);
    if (answer.study && &variant == &answer.layouts.front()) {
      if (answer.showsWhy) json.member("whyNotAsDeclared", answer.study->whyNotAsDeclared);
      if (answer.showsBest) {
        writeBest(json, *answer.study);
        writeAdvice(json, answer.study->advice);
      }
    }
    json.endObject();
  }
}

void writeLayoutAnswer(Output& output, const LayoutAnswer& answer) {
  if (answer.layouts.size() > 1) {
    writeLayoutColumns(output, answer.layouts);
  } else {
    const LayoutVariant& only = answer.layouts.front();
    writeLayoutText(output, only.layout);
    const bool isAsItIs = only.question.rules == RuleSet::Actual || only.question.rules == RuleSet::Declared;
    if (!only.remark.empty()) {
      output.write(fmt::format("By {}: {}.\n", captionOf(only, true), printable(only.remark)));
    } else if (!isAsItIs || only.question.pack) {
      output.write(fmt::format("By {}.\n", captionOf(only, true)));
    }
  }
  if (answer.study && answer.showsWhy) writeWhy(output, answer);
  if (answer.study && answer.showsBest) writeBest(output, *answer.study);
}

void writeFramework(JsonWriter& json, const FrameworkRead& framework, std::uint32_t rulesOf) {
  json.key("framework");
  json.beginObject();
  json.member("path", framework.path);
  json.member("version", framework.version);
  json.member("rules", rulesOf);
  json.member("isAnother", framework.isAnother);
  json.endObject();
}

void writeFramework(Output& output, const FrameworkRead& framework, std::uint32_t rulesOf) {
  output.write(fmt::format("Framework: .NET {} in {}\n", printable(framework.version), printable(framework.path)));
  if (framework.isAnother)
    output.write(
        fmt::format("No framework of .NET {0} was found: the rules of .NET {0} are applied to types as .NET {1} "
                    "declares them.\n",
                    rulesOf, framework.majorVersion));
}

}  // namespace heapscape::engine
