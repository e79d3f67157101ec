// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <concepts>
#include <limits>
#include <optional>
#include <string>

#include "query/lexer.h"

namespace heapscape::cli {

/// Which numbers an option takes, both ends included.
template <std::unsigned_integral Number>
struct NumberRange {
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
};

/// A whole number in decimal digits; anything else is refused as the parser of options does, in one short line.
template <std::unsigned_integral Number>
Number readNumber(const std::string& option, const std::string& text, NumberRange<Number> range) {
  const auto number = engine::numberFrom<Number>(text);
  if (number && *number >= range.least && *number <= range.most) return *number;
  const bool hasEnd = range.most != std::numeric_limits<Number>::max();
  const bool isTooLarge = !hasEnd && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  throw CLI::ValidationError(
      option, isTooLarge && !number ? fmt::format("'{}' is too large", text)
              : hasEnd ? fmt::format("'{}' is no whole number from {} to {}", text, range.least, range.most)
                       : fmt::format("'{}' is no whole number from {} on", text, range.least));
}

/// Adds an option that takes a whole number.
template <std::unsigned_integral Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<Number>& target,
                       const std::string& description, NumberRange<Number> range = {}) {
  const auto take = [&target, range, name](const std::string& text) { target = readNumber(name, text, range); };
  return app.add_option_function<std::string>(name, take, description)->type_name("N");
}

/// The same where `target` already holds what goes without the option.
template <std::unsigned_integral Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Number& target, const std::string& description,
                       NumberRange<Number> range = {}) {
  const auto take = [&target, range, name](const std::string& text) { target = readNumber(name, text, range); };
  return app.add_option_function<std::string>(name, take, description)
      ->type_name("N")
      ->default_str(std::to_string(target));
}

}  // namespace heapscape::cli
