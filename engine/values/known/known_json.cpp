// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "values/known/json_text.h"
#include "values/known/known_object.h"
#include "values/known/known_value.h"
#include "values/quoted_text.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kBytesOfUnit = 3;  // at most, in UTF-8

std::optional<Value> readable(Value value) {
  if (value.kind == ValueKind::Damaged) return std::nullopt;
  return value;
}

std::optional<std::string> textOf(const KnownObject& object, const ByteSlice& bytes) {
  const std::size_t most = object.reader.sources().previewUnits * kBytesOfUnit;
  std::string text(std::min<std::size_t>(bytes.count, most), '\0');
  if (!object.instance.memory().tryRead(bytes.first, std::as_writable_bytes(std::span(text)))) return std::nullopt;
  return text;
}

/// As JsonSerializer keeps what it has read: a number as it stood in the text, a string as UTF-8 without escapes.
std::optional<Value> readOfSerializer(const KnownObject& object) {
  const auto held = object.instance.inner("_value");
  if (!held) {
    const auto digits = readArray(object.instance, "_value");
    if (!digits || digits->elementSize != 1) return std::nullopt;
    const auto text = textOf(object, {digits->data, digits->count});
    return text ? std::optional(Value{.kind = ValueKind::Known, .text = *text}) : std::nullopt;
  }
  const auto bytes = byteSliceOf(*held);
  if (!bytes) return object.read("_value");
  auto text = textOf(object, *bytes);
  if (!text) return std::nullopt;
  const bool isCut = text->size() < bytes->count;
  auto units = toUtf16(*text);
  while (isCut && !units && !text->empty()) {
    text->pop_back();
    units = toUtf16(*text);
  }
  if (!units) return std::nullopt;
  return Value{.kind = ValueKind::Known, .text = quotedText(*units) + (isCut ? "…" : ""), .isString = true};
}

}  // namespace

std::optional<std::string> jsonElementText(const KnownValue& value) {
  const auto document = value.number<Address>("_parent");
  if (!document) return std::nullopt;
  if (!*document) return "undefined";
  const InstanceSources sources = value.reader.instances();
  const auto json = jsonPlaceOf(Instance(sources, value.shape, value.field.address));
  if (!json) return std::nullopt;
  const auto element = readable(json->text.valueAt(json->place, value.reader.sources().previewUnits));
  return element ? std::optional(element->text) : std::nullopt;
}

std::optional<Value> jsonDocumentValue(const KnownObject& object) {
  const auto json = JsonText::of(object.instance);
  return json ? readable(json->valueAt(0, object.reader.sources().previewUnits)) : std::nullopt;
}

std::optional<Value> jsonValueValue(const KnownObject& object) {
  if (object.instance.field("Value")) return object.read("Value");
  return readOfSerializer(object);
}

// A JValue without an object is null or undefined (JTokenType.cs).
std::optional<Value> jValueValue(const KnownObject& object) {
  constexpr std::int32_t kUndefined = 11;
  const auto value = object.read("_value");
  if (!value || value->kind != ValueKind::Null) return value;
  const auto type = object.instance.number<std::int32_t>("_valueType");
  return Value{.kind = ValueKind::Known, .text = type && *type == kUndefined ? "undefined" : "null"};
}

std::optional<Value> jPropertyValue(const KnownObject& object) {
  const auto name = object.read("_name");
  const auto list = object.instance.follow("_content");
  if (!name || !list) return std::nullopt;
  const auto token = KnownObject{object.reader, *list, object.references}.read("_token");
  if (!token) return std::nullopt;
  return Value{.kind = ValueKind::Known, .text = fmt::format("{}: {}", name->text, token->text), .isString = true};
}

}  // namespace heapscape::engine
