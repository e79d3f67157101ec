// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>

namespace heapscape::cli {

/// Adds an option that takes one of these values by the name that the engine's toString gives it.
template <class T, std::size_t N>
void addChoice(CLI::App& app, const std::string& name, std::optional<T>& target, const std::array<T, N>& values,
               const std::string& description) {
  std::string names;
  for (const T value : values) names += (names.empty() ? "" : ", ") + std::string(toString(value));
  const auto take = [&target, values, names, name](const std::string& text) {
    for (const T value : values) {
      if (text == toString(value)) target = value;
    }
    if (!target) throw CLI::ValidationError(name, "'" + text + "' is none of " + names);
  };
  app.add_option_function<std::string>(name, take, description + ": " + names)->type_name("NAME");
}

}  // namespace heapscape::cli
