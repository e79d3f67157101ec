// SPDX-License-Identifier: MIT
#include "value_truth.h"

#include <algorithm>

#include "session/snapshot/contents.h"
#include "support/details.h"
#include "values/code_address.h"
#include "values/primitive_values.h"

namespace heapscape::test {

using engine::ElementType;
using engine::FieldValue;
using engine::Value;
using engine::ValueKind;
using nlohmann::json;

namespace {

constexpr std::uint64_t kFieldsStart = 8;
constexpr std::size_t kStringUnits = 200;  // of the truth

// ClrMD prints type parameters of types that it cannot name.
bool isSameType(const std::string& expected, const std::string& actual) {
  return expected == actual || expected.empty() || expected.find("T1") != std::string::npos;
}

// UTF-8 without the escapes that C# writes.
std::string unquoted(std::string text) {
  if (text.ends_with("…")) text.resize(text.size() - std::string("…").size());
  if (text.size() < 2) return text;
  const std::string inside = text.substr(1, text.size() - 2);
  return json::parse("\"" +
                     [&] {
                       // The escapes that JSON has not.
                       std::string result;
                       for (std::size_t i = 0; i < inside.size(); ++i) {
                         if (inside[i] != '\\') {
                           result += inside[i];
                           continue;
                         }
                         const char letter = inside[++i];
                         if (letter == '0')
                           result += "\\u0000";
                         else if (letter == 'a')
                           result += "\\u0007";
                         else if (letter == 'v')
                           result += "\\u000b";
                         else if (letter == '\'')
                           result += "'";
                         else
                           (result += '\\') += letter;
                       }
                       return result;
                     }() +
                     "\"")
      .get<std::string>();
}

}  // namespace

void ValueTruth::check(bool isEqual, const std::string& where, const std::string& expected, const std::string& actual) {
  if (isEqual) {
    ++m_equal;
  } else {
    m_differences.push_back(where + ": ClrMD " + expected + ", here " + actual);
  }
}

void ValueTruth::compare(const json& sample) {
  const std::string where = sample["type"].get<std::string>() + " " + sample["address"].get<std::string>();
  const auto details = engine::objectDetails(m_snapshot, addressIn(sample, "address"));
  if (!details) {
    m_differences.push_back(where + ": " + details.error().message());
    return;
  }
  check(details->row.sizeBytes == sample["size"], where + " size", sample["size"].dump(),
        std::to_string(details->row.sizeBytes));
  for (const engine::Finding& finding : details->findings) m_differences.push_back(where + ": " + finding.message);
  if (sample.contains("string")) {
    const std::string text = details->string ? details->string->text : "no string";
    const std::string expected = sample["string"];
    check(text == expected || (details->string->length > kStringUnits && text.starts_with(expected)), where, expected,
          text);
  } else if (sample.contains("lengths")) {
    compareArray(sample, *details);
  } else if (sample.contains("fields")) {
    compareFields(sample["fields"], details->fields, kFieldsStart, where);
  }
}

void ValueTruth::compareArray(const json& sample, const engine::ObjectDetails& details) {
  const std::string where = sample["type"].get<std::string>() + " " + sample["address"].get<std::string>();
  check(details.array && nlohmann::json(details.array->lengths) == sample["lengths"], where + " lengths",
        sample["lengths"].dump(), "others");
  check(details.array && nlohmann::json(details.array->lowerBounds) == sample["lowerBounds"], where + " bounds",
        sample["lowerBounds"].dump(), "others");
  if (!details.array || !sample.contains("elements")) return;
  for (std::size_t i = 0; i < sample["elements"].size(); ++i) {
    if (i >= details.array->elements.size()) {
      m_differences.push_back(where + ": too few elements");
      return;
    }
    compareValue(sample["elements"][i], details.array->elements[i], where + details.array->elements[i].name);
  }
}

void ValueTruth::compareFields(const json& expected, const Fields& fields, std::uint64_t start,
                               const std::string& where) {
  if (expected.size() > fields.size()) m_differences.push_back(where + ": too few fields");
  for (const json& field : expected) {
    const std::string name = field["name"];
    const std::uint64_t offset = start + field["offset"].get<std::uint64_t>();
    const auto found = std::ranges::find_if(
        fields, [&](const FieldValue& ours) { return ours.name == name && ours.offset == offset; });
    // Of an inline array or a fixed buffer ClrMD shows the declared field, which is element 0.
    const bool isRepeated = expected.size() == 1 && !fields.empty() && fields.front().name == "[0]";
    if (found == fields.end() && !isRepeated) {
      m_differences.push_back(where + "." + name + ": not there");
      continue;
    }
    // What an inline array of .NET 11 declares with a type parameter, ClrMD takes for a reference.
    if (isRepeated && field.contains("object") && fields.front().sizeBytes < engine::kPointerBytes) continue;
    compareValue(field, isRepeated ? fields.front() : *found, where + "." + name);
  }
}

void ValueTruth::compareValue(const json& expected, const FieldValue& field, const std::string& where) {
  if (field.value.kind == ValueKind::Damaged) {
    m_differences.push_back(where + ": " + field.value.damage);
  } else if (expected.contains("fields")) {
    compareFields(expected["fields"], field.nested, field.offset, where);
  } else if (expected.contains("object")) {
    compareReference(expected, field.value, where);
  } else if (expected.contains("value")) {
    compareText(expected, field, where);
  }
}

void ValueTruth::compareReference(const json& expected, const Value& value, const std::string& where) {
  check(value.object == addressIn(expected, "object"), where, expected["object"], toString(value.object));
  if (!expected.contains("objectType")) return;
  const std::string type = expected["objectType"];
  check(isSameType(type, value.objectType), where + " type", type, value.objectType);
  if (!expected.contains("string")) return;
  const std::string text = expected["string"];
  // Halves of surrogate pairs are kept by one side and replaced by the other.
  if (value.text.find("\\ud") != std::string::npos) return;
  check(unquoted(value.text) == text, where, text, value.text);
}

void ValueTruth::compareText(const json& expected, const FieldValue& field, const std::string& where) {
  const auto element = static_cast<ElementType>(expected["element"].get<int>());
  const std::string value = expected["value"];
  std::uint64_t bits = 0;
  const auto bytes = std::as_writable_bytes(std::span(&bits, 1)).first(std::min<std::size_t>(field.sizeBytes, 8));
  if (!m_snapshot.contents().memory->tryRead(field.address, bytes)) {
    m_differences.push_back(where + ": no bytes");
    return;
  }
  switch (field.value.kind) {
    case ValueKind::Enum: {
      check(integerText(element, bits) == value, where, value, integerText(element, bits));
      const bool hasText = !field.value.text.empty();
      check(hasText, where, "a name", "nothing");
      break;
    }
    case ValueKind::Character:
      check(std::to_string(bits) == value, where, value, field.value.text);
      break;
    case ValueKind::Null:
      check(value == "0x0", where, value, field.value.text);
      break;
    default:
      // Native integers are told as addresses.
      if (element == ElementType::I || element == ElementType::U) {
        check(integerText(element, bits) == value, where, value, integerText(element, bits));
        check(codeAddressOf(field.value).address == toString(engine::Address{bits}), where, value, field.value.text);
        break;
      }
      // Of pointers to methods ClrMD gives the number alone.
      check(codeAddressOf(field.value).address == value, where, value, field.value.text);
      break;
  }
}

}  // namespace heapscape::test
