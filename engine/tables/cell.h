// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/address.h"
#include "heap/recorded_objects.h"

namespace heapscape::engine {

/// Kind of a column's content, and with that how it is written, compared and sorted.
enum class ColumnKind : std::uint8_t {
  Text,
  TypeName,
  Words,   // several texts, or numbers
  Choice,  // one of few texts
  Flag,
  Count,
  Id,  // a number that counts nothing
  Bytes,
  SavedBytes,  // negative where there would be more of them
  GrownBytes,  // negative where there are fewer of them
  Share,       // 0 to 1
  Percent,     // 0 to 100, as the runtime has it
  Address,
  Range,  // of addresses
};

/// Sorted by number, the largest first; stands to the right.
constexpr bool isFigure(ColumnKind kind) {
  return kind == ColumnKind::Count || kind == ColumnKind::Id || kind == ColumnKind::Bytes ||
         kind == ColumnKind::SavedBytes || kind == ColumnKind::GrownBytes || kind == ColumnKind::Share ||
         kind == ColumnKind::Percent;
}

/// A two's complement where it is a 64-bit number.
constexpr bool isSigned(ColumnKind kind) {
  return kind == ColumnKind::SavedBytes || kind == ColumnKind::GrownBytes;
}

/// Content of a column in one row, exactly: forms for people are made of it by who shows it. Nothing: the row has no
/// such thing. Unknown: it has one, but what it is is not known, or left out.
class Cell {
 public:
  struct Nothing {
    bool operator==(const Nothing&) const = default;
  };
  struct Unknown {
    bool operator==(const Unknown&) const = default;
  };
  using Words = std::vector<std::string>;
  using Numbers = std::vector<std::uint64_t>;
  using Content = std::variant<Nothing, Unknown, bool, std::uint64_t, std::int64_t, double, Address, AddressRange,
                               std::string, Words, Numbers>;

  Cell() = default;
  Cell(Unknown) : m_content(Unknown{}) {}
  Cell(bool flag) : m_content(flag) {}
  Cell(std::unsigned_integral auto number) : m_content(std::uint64_t{number}) {}
  Cell(std::signed_integral auto number) : m_content(std::int64_t{number}) {}
  Cell(double number) : m_content(number) {}
  /// What stands in for an address that is not known becomes Unknown.
  Cell(Address address) : m_content(isStandIn(address) ? Content(Unknown{}) : Content(address)) {}
  Cell(AddressRange range) : m_content(range) {}
  Cell(std::string text) : m_content(std::move(text)) {}
  Cell(std::string_view text) : m_content(std::string(text)) {}
  Cell(const char* text) : m_content(std::string(text)) {}
  Cell(Words words) : m_content(std::move(words)) {}
  Cell(Numbers numbers) : m_content(std::move(numbers)) {}
  Cell(const std::vector<std::uint32_t>& numbers) : m_content(Numbers(numbers.begin(), numbers.end())) {}
  /// A member of an enumeration by its name.
  template <class Choice>
  requires std::is_enum_v<Choice> Cell(Choice choice) : Cell(toString(choice)) {}
  /// Nothing given is not known.
  template <class Value>
  Cell(const std::optional<Value>& value) : Cell(value ? Cell(*value) : Cell(Unknown{})) {}

  const Content& content() const { return m_content; }
  template <class Value>
  const Value* as() const {
    return std::get_if<Value>(&m_content);
  }
  bool isNothing() const { return std::holds_alternative<Nothing>(m_content); }
  bool isUnknown() const { return std::holds_alternative<Unknown>(m_content); }
  bool isThere() const { return !isNothing() && !isUnknown(); }
  /// 0, an address of nothing, an empty text or list.
  bool isEmpty() const;
  /// The number that a figure or an address is; a negative one as two's complement. 0 for what is none.
  std::uint64_t number() const;

  bool operator==(const Cell&) const = default;

 private:
  Content m_content;
};

/// On one line, exactly, as TSV has it: 42, true, 0x7f…, words with blanks, "0x10-0x20". Empty for Nothing and Unknown.
std::string toString(const Cell& cell);

}  // namespace heapscape::engine
