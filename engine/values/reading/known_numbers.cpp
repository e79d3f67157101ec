// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <bit>

#include <algorithm>
#include <vector>

#include "heap/object_head.h"
#include "values/reading/known_value.h"
#include "values/primitive_values.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kBillion = 1'000'000'000;
constexpr std::size_t kMaximumWords = 128;  // 1,233 digits: a longer BigInteger is told by its length
constexpr std::uint32_t kMaximumScale = 28;

// Decimal digits of a number of 32-bit words, the lowest first.
std::string digitsOf(std::vector<std::uint32_t> words) {
  std::string digits;
  while (!words.empty()) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      const std::uint64_t part = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(part / kBillion);
      rest = part % kBillion;
    }
    while (!words.empty() && words.back() == 0) words.pop_back();
    const std::string group = words.empty() ? fmt::to_string(rest) : fmt::format("{:09}", rest);
    digits.insert(0, group);
  }
  return digits.empty() ? "0" : digits;
}

std::string digitsOf(Wide number) {
  std::vector<std::uint32_t> words;
  for (; number; number >>= 32) words.push_back(static_cast<std::uint32_t>(number));
  return digitsOf(std::move(words));
}

std::optional<Wide> wideNumber(const KnownValue& value) {
  const auto lower = value.number<std::uint64_t>("_lower");
  const auto upper = value.number<std::uint64_t>("_upper");
  if (!lower || !upper) return std::nullopt;
  return static_cast<Wide>(*upper) << 64 | *lower;
}

}  // namespace

std::optional<std::string> guidText(const KnownValue& value) {
  const auto a = value.number<std::uint32_t>("_a");
  const auto b = value.number<std::uint16_t>("_b");
  const auto c = value.number<std::uint16_t>("_c");
  std::string text = a && b && c ? fmt::format("{:08x}-{:04x}-{:04x}-", *a, *b, *c) : std::string();
  for (const char* name : {"_d", "_e", "_f", "_g", "_h", "_i", "_j", "_k"}) {
    const auto byte = value.number<std::uint8_t>(name);
    if (!byte || text.empty()) return std::nullopt;
    text += fmt::format("{:02x}", *byte);
    if (name[1] == 'e') text += '-';
  }
  return text;
}

// Decimal.cs: the sign and the power of ten are in the flags.
std::optional<std::string> decimalText(const KnownValue& value) {
  const auto flags = value.number<std::uint32_t>("_flags");
  const auto high = value.number<std::uint32_t>("_hi32");
  const auto low = value.number<std::uint64_t>("_lo64");
  if (!flags || !high || !low) return std::nullopt;
  const std::uint32_t scale = *flags >> 16 & 0xff;
  if (scale > kMaximumScale) return std::nullopt;
  std::string digits = digitsOf(static_cast<Wide>(*high) << 64 | *low);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale) digits.insert(digits.size() - scale, 1, '.');
  const bool isZero = !*high && !*low;
  return (*flags >> 31 && !isZero ? "-" : "") + digits;
}

std::optional<std::string> halfValueText(const KnownValue& value) {
  const auto bits = value.number<std::uint16_t>("_value");
  return bits ? std::optional(halfText(*bits)) : std::nullopt;
}

// The upper half of a float.
std::optional<std::string> bfloat16ValueText(const KnownValue& value) {
  const auto bits = value.number<std::uint16_t>("_value");
  return bits ? std::optional(realText(std::bit_cast<float>(std::uint32_t{*bits} << 16))) : std::nullopt;
}

std::optional<std::string> int128Text(const KnownValue& value) {
  const auto number = wideNumber(value);
  if (!number) return std::nullopt;
  const bool isNegative = *number >> 127 != 0;
  return (isNegative ? "-" : "") + digitsOf(isNegative ? Wide{0} - *number : *number);
}

std::optional<std::string> uint128Text(const KnownValue& value) {
  const auto number = wideNumber(value);
  return number ? std::optional(digitsOf(*number)) : std::nullopt;
}

// BigInteger.cs: small numbers are in _sign, others are the words in _bits with the sign of _sign; since .NET 11 words
// of the processor.
std::optional<std::string> bigIntegerText(const KnownValue& value) {
  const auto sign = value.number<std::int32_t>("_sign");
  const auto bits = value.number<Address>("_bits");
  if (!sign || !bits) return std::nullopt;
  if (!*bits) return fmt::to_string(*sign);
  const auto type = value.memory.readPointer(*bits);
  const TypeShape* shape = type ? value.reader.shapes().find({type->value & kMethodTableMask}) : nullptr;
  constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
  std::uint32_t elements = 0;
  if (!shape || !shape->type.isSzArray ||
      (shape->type.componentSize != kWordBytes && shape->type.componentSize != 2 * kWordBytes) ||
      !value.memory.tryRead(*bits + kComponentsOffset, elements)) {
    return std::nullopt;
  }
  const std::uint64_t count = std::uint64_t{elements} * (shape->type.componentSize / kWordBytes);
  if (count > kMaximumWords) return fmt::format("{}a number of {} bits", *sign < 0 ? "minus " : "", 32ull * count);
  std::vector<std::uint32_t> words(count);
  if (!value.memory.tryRead(*bits + (shape->type.baseSize - 8), std::as_writable_bytes(std::span(words))))
    return std::nullopt;
  return (*sign < 0 ? "-" : "") + digitsOf(std::move(words));
}

}  // namespace heapscape::engine
