// SPDX-License-Identifier: MIT
#include "values/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kRowBytes = 12;            // DbRow.Size
constexpr std::uint32_t kLengthMask = 0x7fffffff;  // the highest bit tells of escapes
constexpr std::uint32_t kRowsMask = 0x0fffffff;    // the kind is above
constexpr std::size_t kLongestEscape = 6;          // "\u0041"
constexpr std::size_t kLongestPair = 2 * kLongestEscape;

bool isContainer(JsonText::Kind kind) {
  return kind == JsonText::Kind::Object || kind == JsonText::Kind::Array;
}

/// Without what a cut has left of a character.
void dropHalfCharacter(std::string& utf8) {
  while (!utf8.empty() && !toUtf16(utf8)) utf8.pop_back();
}

/// Text between the quotation marks, without the escapes of JSON; of a text that is cut as much as is whole.
std::string unescaped(std::string text) {
  for (std::size_t dropped = 0; dropped <= kLongestPair; ++dropped) {
    const auto parsed = nlohmann::json::parse("\"" + text + "\"", nullptr, false);
    if (parsed.is_string()) return parsed.get<std::string>();
    if (text.empty()) break;
    text.pop_back();
  }
  return text;
}

/// Without the white space between the parts.
std::string compact(std::string_view json) {
  std::string text;
  bool isInString = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!isInString && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
    text += c;
    if (c == '"') isInString = !isInString;
    if (isInString && c == '\\' && i + 1 < json.size()) text += json[++i];
  }
  return text;
}

}  // namespace

Result<ByteSlice> byteSliceOf(const Instance& memory) {
  constexpr std::uint32_t kIndexMask = 0x7fffffff;  // the highest bit says that the array is pinned
  HEAPSCAPE_TRY(const Address holder, memory.reference("_object"));
  if (!holder) return ByteSlice{};
  HEAPSCAPE_TRY(const Instance array, Instance::at(memory.sources(), holder));
  if (!array.type().isSzArray) return failure(ErrorCode::NotFound, "The bytes are those of a MemoryManager.");
  HEAPSCAPE_TRY(const ManagedArray bytes, readArray(memory, "_object"));
  HEAPSCAPE_TRY(const auto index, memory.number<std::uint32_t>("_index"));
  HEAPSCAPE_TRY(const std::uint32_t count, memory.count("_length"));
  const std::uint32_t first = index & kIndexMask;
  if (bytes.elementSize != 1 || first > bytes.count || count > bytes.count - first)
    return failure(ErrorCode::Damaged, "The bytes reach beyond their array.");
  return ByteSlice{bytes.element(first), count};
}

Result<JsonText> JsonText::of(const Instance& document) {
  JsonText json(document.memory());
  HEAPSCAPE_TRY(const Instance text, document.inner("_utf8Json"));
  HEAPSCAPE_TRY(const Instance rows, document.inner("_parsedData"));
  HEAPSCAPE_TRY(json.m_text, byteSliceOf(text));
  HEAPSCAPE_TRY(const ManagedArray data, readArray(rows, "_data"));
  HEAPSCAPE_TRY(json.m_rows.count, rows.count("<Length>k__BackingField"));
  if (json.m_rows.count > data.count)
    return failure(ErrorCode::Damaged, "The table of parts reaches beyond its array.");
  if (!json.m_text.count || !json.m_rows.count)
    return failure(ErrorCode::NotFound, "The document has been disposed of.");
  json.m_rows.first = data.data;
  return json;
}

Result<JsonText::Part> JsonText::part(std::uint64_t place) const {
  if (place % kRowBytes != 0 || m_rows.count < kRowBytes || place > m_rows.count - kRowBytes)
    return failure(ErrorCode::Damaged, fmt::format("There is no part {} of the JSON.", place));
  HEAPSCAPE_TRY(const auto location, m_memory->read<std::uint32_t>(m_rows.first + place));
  HEAPSCAPE_TRY(const auto length, m_memory->read<std::uint32_t>(m_rows.first + place + 4));
  HEAPSCAPE_TRY(const auto rows, m_memory->read<std::uint32_t>(m_rows.first + place + 8));
  return Part{.kind = static_cast<Kind>(rows >> 28),
              .location = location,
              .length = length & kLengthMask,
              .hasEscapes = length > kLengthMask,
              .rows = std::max(rows & kRowsMask, 1u)};
}

Result<std::string> JsonText::bytesOf(std::uint64_t place, std::size_t limit, bool& isCut) const {
  HEAPSCAPE_TRY(const Part first, part(place));
  std::uint64_t end = std::uint64_t{first.location} + first.length;
  if (isContainer(first.kind)) {
    HEAPSCAPE_TRY(const Part last, part(place + std::uint64_t{kRowBytes} * first.rows));
    end = std::uint64_t{last.location} + 1;
  }
  if (first.location > end || end > m_text.count)
    return failure(ErrorCode::Damaged, fmt::format("Part {} reaches beyond the text of the JSON.", place));
  std::string bytes(std::min<std::size_t>(end - first.location, limit), '\0');
  isCut = bytes.size() < end - first.location;
  if (!m_memory->tryRead(m_text.first + first.location, std::as_writable_bytes(std::span(bytes))))
    return failure(ErrorCode::NotInDump, "The dump does not hold the text of the JSON.");
  if (isCut) dropHalfCharacter(bytes);
  return bytes;
}

Value JsonText::valueAt(std::uint64_t place, std::size_t limit) const {
  const auto what = part(place);
  if (!what) return {.damage = what.error().what};
  bool isCut = false;
  const auto bytes = bytesOf(place, limit * kLongestEscape, isCut);
  if (!bytes) return {.damage = bytes.error().what};
  Value value{.kind = ValueKind::Known, .text = *bytes};
  if (what->kind == Kind::Null) value.kind = ValueKind::Null;
  if (what->kind == Kind::True || what->kind == Kind::False) value.kind = ValueKind::Boolean;
  if (what->kind == Kind::String || what->kind == Kind::Name) {
    value.isString = true;
    const auto text = toUtf16(what->hasEscapes ? unescaped(*bytes) : *bytes);
    if (!text) return {.damage = "The text of the JSON is no UTF-8."};
    isCut = isCut || text->size() > limit;
    value.text = quotedText(std::u16string_view(*text).substr(0, limit));
  } else if (isContainer(what->kind)) {
    value.isString = true;
    value.text = compact(*bytes);
    if (value.text.size() > limit) {
      isCut = true;
      value.text.resize(limit);
      dropHalfCharacter(value.text);
    }
  }
  if (isCut) value.text += "…";
  return value;
}

std::string JsonText::forEachChild(std::uint64_t place,
                                   const std::function<bool(std::uint64_t, std::uint64_t)>& visit) const {
  const auto parent = part(place);
  if (!parent) return parent.error().what;
  if (!isContainer(parent->kind)) return {};
  const std::uint64_t end = place + std::uint64_t{kRowBytes} * parent->rows;
  for (std::uint64_t at = place + kRowBytes; at < end;) {
    std::uint64_t name = 0;
    if (parent->kind == Kind::Object) {
      name = at;
      at += kRowBytes;
    }
    const auto child = part(at);
    if (!child) return child.error().what;
    if (!visit(at, name)) return {};
    at += isContainer(child->kind) ? std::uint64_t{kRowBytes} * child->rows + kRowBytes : kRowBytes;
  }
  return {};
}

Result<JsonPlace> jsonPlaceOf(const Instance& element) {
  HEAPSCAPE_TRY(const Instance document, element.follow("_parent"));
  HEAPSCAPE_TRY(JsonText text, JsonText::of(document));
  HEAPSCAPE_TRY(const std::uint32_t place, element.count("_idx"));
  return JsonPlace{text, place};
}

}  // namespace heapscape::engine
