// SPDX-License-Identifier: MIT
#include "values/primitive_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

bool isHighSurrogate(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool isLowSurrogate(char16_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

void addQuotedBy(std::string& result, std::u16string_view text, char16_t quote) {
  result += static_cast<char>(quote);
  // Most texts are plain from end to end.
  const auto isOther = [quote](char16_t unit) { return unit < 0x20 || unit >= 0x7f || unit == quote || unit == u'\\'; };
  const auto plain = static_cast<std::size_t>(std::ranges::find_if(text, isOther) - text.begin());
  result.resize(result.size() + plain);
  std::ranges::transform(text.substr(0, plain), result.end() - static_cast<std::ptrdiff_t>(plain),
                         [](char16_t unit) { return static_cast<char>(unit); });
  for (std::size_t i = plain; i < text.size(); ++i) {
    const char16_t unit = text[i];
    const bool isPlain = unit >= 0x20 && unit < 0x7f;
    if (isPlain) {
      if (unit == quote || unit == u'\\') result += '\\';
      result += static_cast<char>(unit);
    } else if (const std::string escape = escapeOf(unit); !escape.empty()) {
      result += escape;
    } else if (isHighSurrogate(unit) && i + 1 < text.size() && isLowSurrogate(text[i + 1])) {
      result += toUtf8(text.substr(i++, 2));
    } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(unit));
    } else {
      result += toUtf8(text.substr(i, 1));
    }
  }
  result += static_cast<char>(quote);
}

}  // namespace

std::string quotedText(std::u16string_view text) {
  std::string quoted;
  addQuoted(quoted, text);
  return quoted;
}

void addQuoted(std::string& line, std::u16string_view text) {
  addQuotedBy(line, text, u'"');
}

std::string quotedCharacter(char16_t unit) {
  std::string quoted;
  addQuotedBy(quoted, {&unit, 1}, u'\'');
  return quoted;
}

namespace {

// Digits before the decimal point from which .NET writes an exponent (MaxRoundTripDigits in Number.Formatting.cs).
constexpr int kDoubleDigits = 17, kFloatDigits = 9, kHalfDigits = 5;
constexpr int kSmallestPoint = -3;  // 0.0001 is the last without an exponent

// Lays out "d.ddde±xx" as NumberToString's general format does.
std::string generalForm(std::string_view scientific, int mostDigits) {
  std::string sign;
  if (scientific.starts_with('-')) {
    sign = "-";
    scientific.remove_prefix(1);
  }
  const std::size_t e = scientific.find('e');
  std::string digits(scientific.substr(0, e));
  std::erase(digits, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.empty()) return sign + "0";
  int exponent = 0;
  const std::string_view power = scientific.substr(e + (scientific[e + 1] == '+' ? 2 : 1));
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  const int point = exponent + 1;  // digits before the decimal point
  if (point > mostDigits || point < kSmallestPoint) {
    const std::string fraction = digits.size() > 1 ? "." + digits.substr(1) : std::string();
    return fmt::format("{}{}{}E{}{:02}", sign, digits[0], fraction, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  const auto whole = static_cast<std::size_t>(point);
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

template <class Real>
std::string shortestText(Real value, int mostDigits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  return generalForm({buffer, static_cast<std::size_t>(end - buffer)}, mostDigits);
}

double halfMagnitude(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;
  return exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
}

}  // namespace

std::string realText(double value) {
  return shortestText(value, kDoubleDigits);
}

std::string realText(float value) {
  return shortestText(value, kFloatDigits);
}

std::string halfText(std::uint16_t bits) {
  const std::uint16_t magnitude = bits & 0x7fff;
  if (magnitude > 0x7c00) return "NaN";
  const std::string sign = bits & 0x8000 ? "-" : "";
  if (magnitude == 0x7c00) return sign + "Infinity";
  if (magnitude == 0) return sign + "0";
  // The fewest digits that lie nearer to this number than to its neighbours; all of these are exact doubles.
  const double value = halfMagnitude(magnitude);
  const double below = (halfMagnitude(magnitude - 1) + value) / 2;
  const double above = (halfMagnitude(magnitude + 1) + value) / 2;
  char buffer[64];
  for (int precision = 0;; ++precision) {
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, precision).ptr;
    double read = 0;
    std::from_chars(buffer, end, read);
    const bool isTieOfEven = (read == below || read == above) && magnitude % 2 == 0;
    if ((read > below && read < above) || isTieOfEven || precision == kDoubleDigits)
      return sign + generalForm({buffer, static_cast<std::size_t>(end - buffer)}, kHalfDigits);
  }
}

std::string integerText(ElementType element, std::uint64_t bits) {
  switch (element) {
    case ElementType::Boolean:
    case ElementType::U1:
      return fmt::to_string(static_cast<unsigned>(static_cast<std::uint8_t>(bits)));
    case ElementType::I1:
      return fmt::to_string(static_cast<int>(static_cast<std::int8_t>(bits)));
    case ElementType::Char:
    case ElementType::U2:
      return fmt::to_string(static_cast<std::uint16_t>(bits));
    case ElementType::I2:
      return fmt::to_string(static_cast<std::int16_t>(bits));
    case ElementType::U4:
      return fmt::to_string(static_cast<std::uint32_t>(bits));
    case ElementType::I4:
      return fmt::to_string(static_cast<std::int32_t>(bits));
    case ElementType::U8:
    case ElementType::U:
      return fmt::to_string(bits);
    case ElementType::I8:
    case ElementType::I:
      return fmt::to_string(static_cast<std::int64_t>(bits));
    default:
      return {};
  }
}

bool tryAddNumber(std::string& text, ElementType element, std::uint64_t bits) {
  std::array<char, 20> digits;  // as many as 64 bits can have, with a sign
  const auto add = [&](auto number) {
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    return true;
  };
  // Up to here all whole numbers have different shortest texts: their digits.
  constexpr double kExactFloats = 0x1p24, kExactDoubles = 0x1p53;
  const auto addReal = [&](double value, double exactBelow) {
    const bool isWhole = std::abs(value) < exactBelow && value == std::trunc(value);
    return isWhole && (value != 0 || !std::signbit(value)) && add(static_cast<std::int64_t>(value));
  };
  switch (element) {
    case ElementType::U1:
      return add(static_cast<std::uint64_t>(static_cast<std::uint8_t>(bits)));
    case ElementType::I1:
      return add(static_cast<std::int64_t>(static_cast<std::int8_t>(bits)));
    case ElementType::U2:
      return add(static_cast<std::uint64_t>(static_cast<std::uint16_t>(bits)));
    case ElementType::I2:
      return add(static_cast<std::int64_t>(static_cast<std::int16_t>(bits)));
    case ElementType::U4:
      return add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)));
    case ElementType::I4:
      return add(static_cast<std::int64_t>(static_cast<std::int32_t>(bits)));
    case ElementType::U8:
      return add(bits);
    case ElementType::I8:
      return add(static_cast<std::int64_t>(bits));
    case ElementType::R4:
      return addReal(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), kExactFloats);
    case ElementType::R8:
      return addReal(std::bit_cast<double>(bits), kExactDoubles);
    default:
      return false;
  }
}

Value primitiveValue(ElementType element, std::uint64_t bits) {
  switch (element) {
    case ElementType::Boolean: {
      const auto byte = static_cast<std::uint8_t>(bits);
      if (byte > 1) return {.kind = ValueKind::Boolean, .text = fmt::format("true ({})", byte)};
      return {.kind = ValueKind::Boolean, .text = byte ? "true" : "false"};
    }
    case ElementType::Char:
      return {.kind = ValueKind::Character, .text = quotedCharacter(static_cast<char16_t>(bits))};
    case ElementType::R4:
      return {.kind = ValueKind::Real, .text = realText(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))};
    case ElementType::R8:
      return {.kind = ValueKind::Real, .text = realText(std::bit_cast<double>(bits))};
    default: {
      std::string text = integerText(element, bits);
      if (text.empty()) return {.damage = "The type of this value is not known."};
      return {.kind = ValueKind::Integer, .text = std::move(text)};
    }
  }
}

}  // namespace heapscape::engine
