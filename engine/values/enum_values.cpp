// SPDX-License-Identifier: MIT
#include "values/enum_values.h"

#include <algorithm>
#include <cstring>
#include <ranges>

#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

constexpr std::uint16_t kLiteralField = 0x40;  // FieldAttributes.Literal, ECMA-335 II.23.1.5
constexpr std::string_view kFlagsAttribute = "System.FlagsAttribute";

std::uint64_t cutTo(ElementType underlying, std::uint64_t bits) {
  const std::uint32_t size = primitiveSize(underlying);
  return size == 0 || size >= 8 ? bits : bits & ((1ull << 8 * size) - 1);
}

}  // namespace

EnumNames readEnumNames(const Metadata& metadata, std::uint32_t typeDefRow, ElementType underlying) {
  EnumNames names;
  names.isFlags = metadata.typeAttribute(typeDefRow, kFlagsAttribute).has_value();
  const auto [first, last] = metadata.fieldRowsOf(typeDefRow);
  for (std::uint32_t place = first; place < last; ++place) {
    const std::uint32_t row = metadata.fieldRowAt(place);
    const auto field = metadata.field(row);
    if (!field || !(field->flags & kLiteralField)) continue;
    const auto constant = metadata.constantOf({TableId::Field, row});
    if (!constant || constant->value.empty()) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, constant->value.data(), std::min(constant->value.size(), sizeof value));
    names.members.push_back({cutTo(underlying, value), std::string(field->name)});
  }
  std::ranges::stable_sort(names.members, {}, &EnumNames::Member::value);
  return names;
}

std::string enumText(const EnumNames& names, ElementType underlying, std::uint64_t bits) {
  const std::uint64_t value = cutTo(underlying, bits);
  const auto exact = std::ranges::lower_bound(names.members, value, {}, &EnumNames::Member::value);
  if (exact != names.members.end() && exact->value == value) return exact->name;
  if (!names.isFlags || value == 0) return integerText(underlying, value);
  // From the highest member down, as System.Enum does it, so that combined members come before their parts.
  std::uint64_t rest = value;
  std::string text;
  for (const EnumNames::Member& member : names.members | std::views::reverse) {
    if (member.value == 0 || (rest & member.value) != member.value) continue;
    rest &= ~member.value;
    text = text.empty() ? member.name : member.name + " | " + text;
  }
  return rest == 0 ? text : integerText(underlying, value);
}

}  // namespace heapscape::engine
