// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heapscape::engine {

/// The value that a field holds of one thing. It may be read in several ways: a member of an enum by its name and by
/// its number, a reference by the type of what it refers to and by its address.
struct QueryValue {
  enum class State : std::uint8_t {
    Absent,  // the thing has no such field, or it cannot be read: no comparison holds
    Null,
    There,
  };
  enum class Width : std::uint8_t { Exact, Double, Float };

  State state = State::Absent;
  std::optional<bool> flag = {};
  // x87 numbers hold every 64-bit integer and every double exactly.
  std::optional<long double> number = {};
  Width width = Width::Exact;  // a number that was rounded to this
  std::optional<std::string> text = {};
  /// All characters of a String on a line, where the text has quotation marks and its first characters.
  std::optional<std::string> characters = {};
  bool isUnreadable = false;  // Absent only because it is damaged, or not in the dump
  bool isAddress = false;     // the number is one

  static QueryValue ofNull() { return {.state = State::Null}; }
  static QueryValue ofFlag(bool flag) { return {.state = State::There, .flag = flag}; }
  static QueryValue ofNumber(std::uint64_t number) {
    return {.state = State::There, .number = static_cast<long double>(number)};
  }
  static QueryValue ofAddress(std::uint64_t address) {
    return {.state = State::There, .number = static_cast<long double>(address), .isAddress = true};
  }
  static QueryValue ofText(std::string text) { return {.state = State::There, .text = std::move(text)}; }
  static QueryValue unreadable() { return {.isUnreadable = true}; }

  bool isThere() const { return state == State::There; }
  bool operator==(const QueryValue&) const = default;
};

/// The value as text, for people and for sorting rows that are the same: 42, true, text, 0x7f…; empty if it is absent,
/// "null" if it is null.
std::string toString(const QueryValue& value);

/// A strict weak order: what is absent comes first, then null, then flags, numbers and text.
bool isBefore(const QueryValue& left, const QueryValue& right);

}  // namespace heapscape::engine
