// SPDX-License-Identifier: MIT
#include "output/types/type_class_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/text_table.h"

namespace heapscape::engine {
namespace {

std::string addressOr(Address address, const char* otherwise) {
  return address ? toString(address) : std::string(otherwise);
}

void addOptional(TextTable& table, const EEClassOptionalFields& fields) {
  const auto add = [&](const char* name, std::string value, const char* note) {
    table.addRow({"EEClassOptionalFields", name, std::move(value), note});
  };
  add("DictionaryLayout", addressOr(fields.dictionaryLayout, "none"), "where shared code looks things up");
  add("VarianceInfo",
      fields.variances.empty() ? addressOr(fields.varianceInfo, "none")
                               : fmt::format("{}", fmt::join(fields.variances, ", ")),
      "of the type parameters");
  if (fields.staticsId) add("ModuleDynamicID", std::to_string(*fields.staticsId), "statics of its own");
  add("EightByteRegisters", fields.registers.empty() ? "none" : registersText(fields), "values are passed in them");
  add("RequiredFieldAlignment", fields.fieldAlignment ? std::to_string(fields.fieldAlignment) : "that of a pointer",
      "of an automatic layout");
}

void addLayout(TextTable& table, const EEClassLayout& layout) {
  const auto add = [&](const char* name, std::string value) {
    table.addRow({"EEClassLayoutInfo", name, std::move(value), ""});
  };
  if (!layout.kind.empty()) add("LayoutType", layout.kind);
  if (layout.managedSize) add("ManagedSize", std::to_string(*layout.managedSize));
  add("LargestAlignment", std::to_string(layout.largestAlignment));
  add("PackingSize", std::to_string(layout.packing));
  add("Flags", layout.flags.empty() ? "none" : fmt::format("{}", fmt::join(layout.flags, ", ")));
}

void writeOptional(JsonWriter& json, const EEClassOptionalFields& fields) {
  json.beginObject();
  json.member("address", fields.address);
  json.member("dictionaryLayout", fields.dictionaryLayout);
  json.member("varianceInfo", fields.varianceInfo);
  json.key("variances");
  json.beginArray();
  for (const std::string& variance : fields.variances) json.value(variance);
  json.endArray();
  json.member("moduleDynamicId", fields.staticsId);
  json.key("registers");
  json.beginArray();
  for (const RegisterPart& part : fields.registers) {
    json.beginObject();
    json.member("kind", part.kind);
    json.member("bytes", part.bytes);
    json.endObject();
  }
  json.endArray();
  json.member("requiredFieldAlignment", fields.fieldAlignment);
  json.endObject();
}

void writeLayout(JsonWriter& json, const EEClassLayout& layout) {
  json.beginObject();
  json.member("address", layout.address);
  if (!layout.kind.empty()) json.member("kind", layout.kind);
  if (layout.managedSize) json.member("managedSize", *layout.managedSize);
  json.member("largestAlignment", layout.largestAlignment);
  json.member("packingSize", layout.packing);
  json.key("flags");
  json.beginArray();
  for (const std::string& flag : layout.flags) json.value(flag);
  json.endArray();
  json.endObject();
}

}  // namespace

void writeTypeClassText(Output& output, const TypeDetails& type) {
  TextTable table({{"Part"}, {"Field"}, {"Value"}, {"Note"}});
  for (const EEClassFigure& figure : type.eeClassFigures)
    table.addRow({"EEClass", std::string(figure.name), std::to_string(figure.value), ""});
  if (type.eeClassOptionalFields) addOptional(table, *type.eeClassOptionalFields);
  if (type.eeClassLayout) addLayout(table, *type.eeClassLayout);
  output.write("\nEEClass\n");
  table.write(output);
}

void writeTypeClassMembers(JsonWriter& json, const TypeDetails& type) {
  json.key("eeClassFigures");
  json.beginObject();
  for (const EEClassFigure& figure : type.eeClassFigures) json.member(figure.name, figure.value);
  json.endObject();
  json.key("optionalFields");
  type.eeClassOptionalFields ? writeOptional(json, *type.eeClassOptionalFields) : json.null();
  json.key("layoutInfo");
  type.eeClassLayout ? writeLayout(json, *type.eeClassLayout) : json.null();
}

}  // namespace heapscape::engine
