// SPDX-License-Identifier: MIT
#include "support/exhibits.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/managed_objects.h"
#include "session/details/object_details.h"
#include "session/snapshot/contents.h"
#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::FieldValue;
using engine::Snapshot;
using engine::Value;
using engine::ValueKind;

constexpr std::size_t kLongest = 100'000;

std::string stringAt(const Snapshot& snapshot, Address object) {
  const auto text = engine::readManagedString(snapshot.contents().readers->runtime, object, kLongest);
  if (!text) throw std::runtime_error(text.error().message());
  return *text;
}

const FieldValue& fieldNamed(const std::vector<FieldValue>& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &FieldValue::name);
  if (found == fields.end()) throw std::runtime_error("no field " + name);
  return *found;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// A point in time as we write it: a fraction of a second only if there is one, and the zone in words.
std::string timeText(const nlohmann::json& printed) {
  const std::string zone = printed.value("zone", "");
  return replaced(printed.at("text"), ".0000000", "") + (zone == "Utc" ? " UTC" : zone == "Local" ? " local" : "");
}

/// Characters that are no letters by themselves, in quotation marks.
bool isEscaped(std::uint32_t code) {
  return code < 0x20 || code == '\'' || code == '\\' || code == 0x7f || (code >= 0xd800 && code < 0xe000);
}

/// Of a native integer, which is written as the pointers are.
std::string nativeText(const nlohmann::json& printed) {
  const std::string text = printed.at("text");
  return fmt::format("{:#x}", text.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text));
}

std::string expectedText(const nlohmann::json& printed) {
  const std::string kind = printed.at("kind");
  const std::string text = printed.at("text");
  if (kind == "character") return "'" + text + "'";
  if (kind == "enum") return replaced(text, ", ", " | ");
  if (kind == "known" && printed.at("type").get<std::string>().starts_with("System.DateTime")) return timeText(printed);
  return text;
}

std::string differenceOfFields(const nlohmann::json& printed, const Snapshot& snapshot,
                               const std::vector<FieldValue>& fields) {
  if (printed.size() != fields.size()) return fmt::format("{} fields, not {}", fields.size(), printed.size());
  for (const auto& [name, value] : printed.items()) {
    const FieldValue& field = fieldNamed(fields, name);
    std::string wrong = difference(value, snapshot, field.value, field.nested);
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return {};
}

std::string mismatch(const std::string& found, const std::string& expected) {
  return found == expected ? std::string() : fmt::format("found {}, not {}", found, expected);
}

// Of an inline array or a fixed buffer.
std::string differenceOfElements(const nlohmann::json& printed, const Snapshot& snapshot,
                                 const std::vector<FieldValue>& elements) {
  if (printed.size() != elements.size()) return fmt::format("{} elements, not {}", elements.size(), printed.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string wrong = difference(printed[i], snapshot, elements[i].value, elements[i].nested);
    if (!wrong.empty()) return fmt::format("element {}: {}", i, wrong);
  }
  return {};
}

}  // namespace

std::vector<std::string> exhibitDumps() {
  return {"exhibits-8", "exhibits-9", "exhibits-10", "exhibits-11"};
}

nlohmann::json printedBy(const std::string& dump) {
  return nlohmann::json::parse(unpackedFile(std::filesystem::path(HEAPSCAPE_TEST_DATA) / (dump + ".printed.json.zst")));
}

std::map<std::string, Address> exhibitHoldersOf(const Snapshot& snapshot) {
  std::map<std::string, Address> holders;
  engine::ObjectFilter filter;
  filter.typeText = "Museum.Exhibit";
  engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
    if (snapshot.types()[row.type.value].name != "Museum.Exhibit") return true;
    const auto details = engine::objectDetails(snapshot, row.address);
    if (!details) throw std::runtime_error(details.error().message());
    holders.emplace(stringAt(snapshot, fieldNamed(details->fields, "path").value.object), row.address);
    return true;
  });
  return holders;
}

std::map<std::string, Address> exhibitsOf(const Snapshot& snapshot) {
  std::map<std::string, Address> exhibits;
  for (const auto& [path, holder] : exhibitHoldersOf(snapshot)) {
    const auto details = engine::objectDetails(snapshot, holder);
    const Address content = fieldNamed(details.value().fields, "content").value.object;
    if (content) exhibits.emplace(path, content);
  }
  return exhibits;
}

std::string difference(const nlohmann::json& printed, const Snapshot& snapshot, const Value& value,
                       const std::vector<FieldValue>& fields) {
  const std::string kind = printed.at("kind");
  if (!value.damage.empty()) return "damaged: " + value.damage;
  if (kind == "null") return mismatch(toString(value.kind), "null");
  if (kind == "string") {
    if (!value.isString) return "no string but " + value.text;
    return mismatch(stringAt(snapshot, value.object), printed.at("text"));
  }
  if (kind == "reference") return mismatch(value.objectType, printed.at("type"));
  if (kind == "pointer" && printed.at("text") == "0x0") return mismatch(toString(value.kind), "null");
  if (kind == "character" && isEscaped(printed.at("code")))
    return value.text.starts_with("'\\") ? std::string() : "not escaped: " + value.text;
  if (kind == "integer" && value.kind == ValueKind::Pointer) return mismatch(value.text, nativeText(printed));
  if (kind != "struct") return mismatch(value.text, expectedText(printed));
  // Of a Nullable the program printed what it holds.
  if (fields.size() == 2 && fields[0].name == "hasValue")
    return difference(printed, snapshot, fields[1].value, fields[1].nested);
  // Tuples and the like are read as one thing, and have their fields all the same.
  if (value.kind != ValueKind::Struct && fields.empty())
    return fmt::format("no structure but {}", toString(value.kind));
  if (printed.contains("elements")) return differenceOfElements(printed.at("elements"), snapshot, fields);
  return differenceOfFields(printed.at("fields"), snapshot, fields);
}

}  // namespace heapscape::test
