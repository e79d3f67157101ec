// SPDX-License-Identifier: MIT
#include "query/query_value.h"

#include <fmt/format.h>

#include <cmath>

#include "base/address.h"
#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

// Whole numbers of 64 bits and their signs: all that integers of a dump can be.
bool isWhole(long double number) {
  return number == std::trunc(number) && number >= -9223372036854775808.0L && number <= 18446744073709551615.0L;
}

std::string numberText(const QueryValue& value) {
  const long double number = *value.number;
  if (value.width == QueryValue::Width::Double) return realText(static_cast<double>(number));
  if (value.width == QueryValue::Width::Float) return realText(static_cast<float>(number));
  if (!isWhole(number)) return fmt::format("{}", number);
  if (number < 0) return fmt::format("{}", static_cast<std::int64_t>(number));
  const auto whole = static_cast<std::uint64_t>(number);
  return value.isAddress ? toString(Address{whole}) : fmt::format("{}", whole);
}

int rankOf(const QueryValue& value) {
  if (value.state != QueryValue::State::There) return value.state == QueryValue::State::Absent ? 0 : 1;
  return value.flag ? 2 : value.number ? 3 : 4;
}

}  // namespace

std::string toString(const QueryValue& value) {
  if (value.state == QueryValue::State::Null) return "null";
  if (value.text) return *value.text;
  if (value.flag) return *value.flag ? "true" : "false";
  return value.number ? numberText(value) : std::string();
}

bool isBefore(const QueryValue& left, const QueryValue& right) {
  const int leftRank = rankOf(left);
  if (const int rightRank = rankOf(right); leftRank != rightRank) return leftRank < rightRank;
  if (leftRank == 2) return *left.flag < *right.flag;
  if (leftRank == 4) return left.text < right.text;
  if (leftRank < 2) return false;
  // Not a number comes before all that is one, so that the order stays strict.
  const bool isLeftNan = std::isnan(*left.number);
  const bool isRightNan = std::isnan(*right.number);
  if (isLeftNan || isRightNan) return isLeftNan && !isRightNan;
  return *left.number < *right.number;
}

}  // namespace heapscape::engine
