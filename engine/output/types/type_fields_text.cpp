// SPDX-License-Identifier: MIT
#include "output/types/type_fields_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/objects/value_text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

const char* placeOf(const TypeField& field) {
  if (field.isThreadStatic) return "TLstatic";
  if (field.isRva) return "RVA";
  return field.isStatic ? "static" : "instance";
}

std::string typeOf(const TypeField& field) {
  const bool isAsDeclared = field.declaredType.empty() || field.declaredType == field.typeName;
  return isAsDeclared ? field.typeName : fmt::format("{}  ({})", field.typeName, field.declaredType);
}

std::string addressOrDash(Address address) {
  return address ? toString(address) : std::string("-");
}

}  // namespace

void writeTypeFieldsText(Output& output, const TypeDetails& type, const RowSelection& selection) {
  if (type.fields.empty()) return;
  const bool hasValues =
      std::ranges::any_of(type.fields, [](const TypeField& field) { return field.value.has_value(); });
  output.write(
      "\nFields  (Offset from the object's address, as SOS and the verb object count; Inner from the first field, as "
      "the "
      "runtime and the verb layout do; of a static both in its area)\n");
  std::vector<TextTable::Column> columns{{"MT of the type"},
                                         {"Token"},
                                         {"Offset", Align::Right},
                                         {"Inner", Align::Right},
                                         {"Size", Align::Right},
                                         {"Type"},
                                         {"VT"},
                                         {"Place"}};
  if (hasValues) columns.push_back({"Value"});
  for (const char* title : {"Name", "Attributes", "MT declaring it", "Declared in"}) columns.push_back({title});
  TextTable table(columns);
  for (const TypeField& field : type.fields) {
    std::vector<std::string> cells{addressOrDash(field.typeMethodTable), fmt::format("{:08x}", field.token),
                                   std::to_string(field.objectOffset),   std::to_string(field.offset),
                                   std::to_string(field.sizeBytes),      typeOf(field),
                                   field.isValueType ? "Yes" : "No",     placeOf(field)};
    if (hasValues) cells.push_back(field.value ? valueText(*field.value, selection.isRedacted) : std::string());
    cells.insert(cells.end(),
                 {field.name, field.attributes, addressOrDash(field.declaringMethodTable), field.declaringType});
    table.addRow(std::move(cells));
  }
  table.write(output);
}

}  // namespace heapscape::engine
