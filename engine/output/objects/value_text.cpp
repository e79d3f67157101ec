// SPDX-License-Identifier: MIT
#include "output/objects/value_text.h"

#include <fmt/format.h>

#include "output/text_table.h"
#include "values/string_object.h"

namespace heapscape::engine {
namespace {

void addRows(TextTable& table, const std::vector<FieldValue>& fields, bool redact, std::size_t depth) {
  for (const FieldValue& field : fields) {
    table.addRow({fmt::to_string(field.offset), fmt::to_string(field.sizeBytes),
                  std::string(2 * depth, ' ') + field.name, field.typeName, valueText(field.value, redact)});
    addRows(table, field.nested, redact, depth + 1);
  }
}

}  // namespace

std::string valueText(const Value& value, bool redact) {
  const bool isReference = value.kind == ValueKind::Reference;
  const bool isHidden = redact && isContents(value);
  std::string text = !isHidden ? value.text : isReference && !isStringObject(value) ? value.objectType : "(redacted)";
  if (isReference) text = toString(value.object) + " " + text;
  if (!value.damage.empty()) text += (text.empty() ? "damaged: " : ", damaged: ") + value.damage;
  return text;
}

void writeFieldTable(Output& output, const std::vector<FieldValue>& fields, bool redact) {
  using Align = TextTable::Align;
  TextTable table({{"Offset", Align::Right}, {"Size", Align::Right}, {"Name"}, {"Type"}, {"Value"}});
  addRows(table, fields, redact, 0);
  table.write(output);
}

}  // namespace heapscape::engine
