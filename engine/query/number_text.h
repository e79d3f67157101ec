// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace heapscape::engine {

/// A number that is the whole text, whatever the locale; nothing if the text is none, or beyond the type.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace heapscape::engine
