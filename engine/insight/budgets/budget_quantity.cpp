// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/ascii_case.h"
#include "insight/budgets/budgets.h"

namespace heapscape::engine {
namespace {

using Unit = BudgetQuantity::Unit;

struct UnitName {
  std::string_view name;
  Unit unit;
  double factor;
};
constexpr double kStep = 1024;
constexpr UnitName kUnits[] = {{"", Unit::Number, 1},
                               {"%", Unit::Percent, 1},
                               {"b", Unit::Bytes, 1},
                               {"byte", Unit::Bytes, 1},
                               {"bytes", Unit::Bytes, 1},
                               {"kb", Unit::Bytes, kStep},
                               {"mb", Unit::Bytes, kStep* kStep},
                               {"gb", Unit::Bytes, kStep* kStep* kStep},
                               {"tb", Unit::Bytes, kStep* kStep* kStep* kStep},
                               {"object", Unit::Objects, 1},
                               {"objects", Unit::Objects, 1}};
constexpr double kLargest = 9e15;  // doubles hold every whole number up to here

}  // namespace

Result<BudgetQuantity> parseQuantity(std::string_view text) {
  const auto bad = [text] {
    return failure(ErrorCode::BadQuery,
                   fmt::format("\"{}\" is no quantity such as 200 MB, 10% or 1000 objects.", text));
  };
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return bad();
  std::string unit;
  for (const char* at = rest; at != end; ++at)
    if (*at != ' ') unit += lowerCase(*at);
  for (const UnitName& known : kUnits) {
    if (unit != known.name) continue;
    if (value * known.factor > kLargest) return bad();
    return BudgetQuantity{value * known.factor, known.unit};
  }
  return bad();
}

}  // namespace heapscape::engine
