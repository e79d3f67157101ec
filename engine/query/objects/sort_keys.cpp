// SPDX-License-Identifier: MIT
#include "query/objects/sort_keys.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

namespace heapscape::engine {
namespace {

using Length = std::uint16_t;
static_assert(SortKeys::kLongestText <= UINT16_MAX);
static_assert(LDBL_MANT_DIG == 64, "a long double is one of the x87");

}  // namespace

// In the block: its length, then its bytes.
std::string_view SortKey::textAt(std::uint64_t rest) {
  const auto* at = reinterpret_cast<const char*>(rest);
  Length length = 0;
  std::memcpy(&length, at, sizeof length);
  return {at + sizeof length, length};
}

std::uint64_t SortKey::partOf(std::string_view text, std::size_t number) {
  const std::size_t from = number * kBytesInPart;
  const std::string_view rest = from < text.size() ? text.substr(from) : std::string_view();
  std::uint64_t part = 0;
  for (std::size_t i = 0; i < kBytesInPart; ++i)
    part = part << 8 | (i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0);
  return part << kCountBits | std::min(rest.size(), kBytesInPart + 1);
}

bool isBefore(const SortKey& left, const SortKey& right) {
  if (left.m_high != right.m_high) return left.m_high < right.m_high;
  std::uint64_t part = left.m_high;
  for (std::size_t number = 0; SortKey::goesOn(left.m_high, part, number);) {
    part = SortKey::laterPart(left.m_high, left.m_low, ++number);
    const std::uint64_t other = SortKey::laterPart(right.m_high, right.m_low, number);
    if (part != other) return part < other;
  }
  return false;
}

bool areSame(const SortKey& one, const SortKey& other) {
  if (one.m_high != other.m_high || !SortKey::goesOn(one.m_high, one.m_high, 0)) return one.m_high == other.m_high;
  const bool areTexts = one.m_high >> SortKey::kRankShift == SortKey::kText;
  return one.m_low == other.m_low || (areTexts && SortKey::textAt(one.m_low) == SortKey::textAt(other.m_low));
}

SortKey SortKeys::keyOf(const QueryValue& value) {
  SortKey key;
  if (value.state == QueryValue::State::Absent) return key;
  const auto rankOf = [](SortKey::Rank rank) { return std::uint64_t{rank} << SortKey::kRankShift; };
  if (value.state == QueryValue::State::Null) {
    key.m_high = rankOf(SortKey::kNull);
  } else if (value.flag) {
    key.m_high = rankOf(SortKey::kFlag) | *value.flag;
  } else if (value.number) {
    key = ofNumber(*value.number);
    key.m_high |= rankOf(SortKey::kNumber);
  } else {
    key = keyOf(value.text ? *value.text : std::string_view());
  }
  return key;
}

SortKey SortKeys::keyOf(std::string_view text) {
  SortKey key = ofText(text);
  key.m_high |= std::uint64_t{SortKey::kText} << SortKey::kRankShift;
  return key;
}

// Sign and exponent, then the 64 bits of the mantissa, turned round below zero: in the order of the numbers. What is no
// number comes before all that are.
SortKey SortKeys::ofNumber(long double number) {
  SortKey key;
  if (std::isnan(number)) return key;
  if (number == 0) number = 0;  // without a sign
  std::uint64_t mantissa = 0;
  std::uint16_t exponent = 0;
  std::memcpy(&mantissa, &number, sizeof mantissa);
  std::memcpy(&exponent, reinterpret_cast<const char*>(&number) + sizeof mantissa, sizeof exponent);
  const bool isNegative = (exponent & 0x8000) != 0;
  key.m_high = 1 + (isNegative ? std::uint64_t{0x7fff} - (exponent & 0x7fff) : std::uint64_t{0x8000} + exponent);
  key.m_low = isNegative ? ~mantissa : mantissa;
  return key;
}

SortKey SortKeys::ofText(std::string_view text) {
  text = text.substr(0, kLongestText);
  SortKey key;
  key.m_high = SortKey::partOf(text, 0);
  if (text.size() <= SortKey::kBytesInPart) return key;
  char* const at = m_texts.roomFor(sizeof(Length) + text.size());
  const auto length = static_cast<Length>(text.size());
  std::memcpy(at, &length, sizeof length);
  std::memcpy(at + sizeof length, text.data(), text.size());
  key.m_low = reinterpret_cast<std::uint64_t>(at);
  return key;
}

}  // namespace heapscape::engine
