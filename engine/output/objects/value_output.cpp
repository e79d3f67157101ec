// SPDX-License-Identifier: MIT
#include "output/objects/value_output.h"

#include <fmt/format.h>

#include <cctype>

#include "output/text.h"
#include "values/code_address.h"
#include "values/string_object.h"

namespace heapscape::engine {
namespace {

// "NaN" and "Infinity" are no numbers to JSON, nor is "true (2)" a truth.
bool isJsonNumber(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.back()));
}

void writePlain(JsonWriter& json, const Value& value) {
  const std::string_view text = isStringObject(value) ? value.characters : codeAddressOf(value).address;
  switch (value.kind) {
    case ValueKind::Null:
    case ValueKind::Damaged:
      json.null();
      break;
    case ValueKind::Boolean:
      json.value(value.text != "false");
      break;
    case ValueKind::Integer:
    case ValueKind::Real:
      if (isJsonNumber(text)) {
        json.number(text);
        break;
      }
      [[fallthrough]];
    default:
      json.value(text);
      break;
  }
}

void addRows(TextTable& table, const std::vector<FieldValue>& fields, bool redact, std::size_t depth) {
  for (const FieldValue& field : fields) {
    table.addRow({fmt::to_string(field.offset), fmt::to_string(field.sizeBytes),
                  std::string(2 * depth, ' ') + field.name, field.typeName, valueText(field.value, redact)});
    addRows(table, field.nested, redact, depth + 1);
  }
}

}  // namespace

void writeValueMembers(JsonWriter& json, const Value& value, bool redact) {
  json.member("kind", toString(value.kind));
  writeWhatItIs(json, value, redact);
}

void writeWhatItIs(JsonWriter& json, const Value& value, bool redact) {
  const bool isHidden = redact && isContents(value);
  json.key("value");
  if (isHidden) {
    json.null();
    json.member("redacted", true);
  } else {
    writePlain(json, value);
    const CodeAddress code = codeAddressOf(value);
    if (!code.method.empty()) json.member("method", code.method);
    if (value.pointed != PointedKind::Nothing) {
      json.member("pointsTo", toString(value.pointed));
      json.member("meaning", code.thing);
    }
    if (value.target) json.member("target", value.target);
  }
  if (value.object) json.member("object", value.object);
  if (!value.objectType.empty()) json.member("objectType", value.objectType);
  if (!value.damage.empty()) json.member("damage", value.damage);
}

void writeFieldValue(JsonWriter& json, const FieldValue& field, bool redact) {
  json.beginObject();
  if (!field.declaringType.empty()) json.member("declaringType", field.declaringType);
  json.member("name", field.name);
  json.member("type", field.typeName);
  json.member("offset", field.offset);
  json.member("size", field.sizeBytes);
  json.member("address", field.address);
  writeValueMembers(json, field.value, redact);
  if (!field.nested.empty()) writeFieldValues(json, "nested", field.nested, redact);
  json.endObject();
}

void writeFieldValues(JsonWriter& json, std::string_view name, const std::vector<FieldValue>& fields, bool redact) {
  json.key(name);
  json.beginArray();
  for (const FieldValue& field : fields) writeFieldValue(json, field, redact);
  json.endArray();
}

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
