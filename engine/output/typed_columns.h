// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lists/row_question.h"
#include "query/query_value.h"

namespace heapscape::engine {

/// A column of an answer with its values side by side, as Arrow's columnar format (version 1) lays them out, so that
/// other programs take them as they are. Numbers are exact: a column of numbers that no one type holds is text.
struct TypedColumn {
  enum class Type : std::uint8_t {
    Unsigned,  // 64 bits: counts, bytes, addresses
    Signed,    // 64 bits
    Fraction,  // a double
    Flag,
    Text,  // each text once, and its place among these for each row
  };
  QueryColumn column;
  Type type = Type::Text;
  std::vector<std::uint64_t> numbers = {};  // by row; of Signed two's complement, of Fraction the bits of the double
  std::vector<std::uint8_t> flags = {};     // a bit a row, the lowest first
  std::vector<std::int32_t> places = {};    // of Text, by row, among the texts
  std::vector<std::uint8_t> present = {};   // a bit a row, the lowest first: whether there is a value
  std::uint64_t missing = 0;                // rows without one
  std::string texts = {};                   // UTF-8, one behind the other
  std::vector<std::int64_t> textEnds{0};    // where the first begins, and where each ends

  std::size_t textCount() const { return textEnds.size() - 1; }
  std::string_view text(std::size_t place) const {
    return std::string_view(texts).substr(static_cast<std::size_t>(textEnds[place]),
                                          static_cast<std::size_t>(textEnds[place + 1] - textEnds[place]));
  }
};

/// Collects rows as columns. A column has the type of what it is made for; where that says nothing, or a value does not
/// fit it, the narrowest that holds all its values.
class TypedColumns {
 public:
  explicit TypedColumns(const std::vector<QueryColumn>& columns);

  /// As long as there are columns. A member of an enum counts by its name, a reference by its address, a string by its
  /// characters; null and what cannot be read have no value.
  void add(const std::vector<QueryValue>& row);

  std::size_t rows() const { return m_rows; }
  const std::vector<TypedColumn>& columns() const { return m_columns; }

 private:
  using Type = TypedColumn::Type;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// What a column knows while it grows.
  struct Growing {
    bool isOpen = false;     // no value has told its type yet
    bool isAddress = false;  // its numbers are written with base 16 if they become text
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> places;
  };

  void addValue(std::size_t column, const QueryValue& value);
  void addText(std::size_t column, std::string_view text);
  void skip(TypedColumn& column) const;
  /// The type that holds what is there and this number as well.
  static Type typeWith(const TypedColumn& column, bool isOpen, long double number);
  void widen(std::size_t column, Type type);

  std::size_t m_rows = 0;
  std::vector<TypedColumn> m_columns;
  std::vector<Growing> m_growing;
};

}  // namespace heapscape::engine
