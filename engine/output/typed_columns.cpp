// SPDX-License-Identifier: MIT
#include "output/typed_columns.h"

#include <bit>
#include <cmath>
#include <utility>

namespace heapscape::engine {
namespace {

using Type = TypedColumn::Type;

constexpr long double kSignedEnd = 0x1p63L;
constexpr long double kUnsignedEnd = 0x1p64L;

bool isHeldBy(Type type, long double number) {
  const bool isWhole = std::trunc(number) == number;
  switch (type) {
    case Type::Unsigned:
      return isWhole && number >= 0 && number < kUnsignedEnd;
    case Type::Signed:
      return isWhole && number >= -kSignedEnd && number < kSignedEnd;
    case Type::Fraction:
      return std::isnan(number) || static_cast<long double>(static_cast<double>(number)) == number;
    default:
      return false;
  }
}

std::uint64_t bitsOf(Type type, long double number) {
  if (type == Type::Fraction) return std::bit_cast<std::uint64_t>(static_cast<double>(number));
  if (type == Type::Signed) return std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return static_cast<std::uint64_t>(number);
}

long double numberOf(Type type, std::uint64_t bits) {
  if (type == Type::Fraction) return std::bit_cast<double>(bits);
  if (type == Type::Signed) return static_cast<long double>(std::bit_cast<std::int64_t>(bits));
  return static_cast<long double>(bits);
}

bool bitOf(const std::vector<std::uint8_t>& bits, std::size_t at) {
  return bits[at / 8] >> at % 8 & 1;
}

void setBit(std::vector<std::uint8_t>& bits, std::size_t at, bool isSet) {
  if (at / 8 == bits.size()) bits.push_back(0);
  if (isSet) bits[at / 8] = static_cast<std::uint8_t>(bits[at / 8] | 1u << at % 8);
}

// The rounding that a value says it has undergone is no reason to write it in another way.
const std::string* textOf(const QueryValue& value) {
  if (value.isAddress) return nullptr;
  if (value.characters) return &*value.characters;
  return value.text ? &*value.text : nullptr;
}

}  // namespace

TypedColumns::TypedColumns(const std::vector<QueryColumn>& columns) {
  for (const QueryColumn& column : columns) {
    Growing growing;
    TypedColumn typed{.column = column};
    switch (column.kind) {
      case QueryKind::Address:
        growing.isAddress = true;
        typed.type = Type::Unsigned;
        break;
      case QueryKind::Number:
      case QueryKind::Bytes:
        typed.type = column.isFraction ? Type::Fraction : Type::Unsigned;
        break;
      case QueryKind::Flag:
        typed.type = Type::Flag;
        break;
      case QueryKind::Text:
      case QueryKind::Choice:
        growing.isOpen = true;
        break;
    }
    m_columns.push_back(std::move(typed));
    m_growing.push_back(std::move(growing));
  }
}

void TypedColumns::add(const std::vector<QueryValue>& row) {
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const bool isThere = i < row.size() && row[i].isThere();
    if (isThere)
      addValue(i, row[i]);
    else
      skip(m_columns[i]);
    setBit(m_columns[i].present, m_rows, isThere);
    if (!isThere) ++m_columns[i].missing;
  }
  ++m_rows;
}

void TypedColumns::skip(TypedColumn& column) const {
  if (column.type == Type::Flag)
    setBit(column.flags, m_rows, false);
  else if (column.type == Type::Text)
    column.places.push_back(0);
  else
    column.numbers.push_back(0);
}

void TypedColumns::addValue(std::size_t place, const QueryValue& value) {
  TypedColumn& column = m_columns[place];
  Growing& growing = m_growing[place];
  const std::string* text = textOf(value);
  if (!text && !value.isAddress && value.flag) {
    if (std::exchange(growing.isOpen, false)) widen(place, Type::Flag);
    if (column.type == Type::Flag) return setBit(column.flags, m_rows, *value.flag);
  } else if (!text && value.number) {
    if (growing.isOpen) growing.isAddress = value.isAddress;
    const Type type = typeWith(column, growing.isOpen, *value.number);
    growing.isOpen = false;
    if (type != column.type) widen(place, type);
    if (type != Type::Text) return column.numbers.push_back(bitsOf(type, *value.number));
  }
  growing.isOpen = false;
  if (column.type != Type::Text) widen(place, Type::Text);
  addText(place, text ? *text : toString(value));
}

TypedColumns::Type TypedColumns::typeWith(const TypedColumn& column, bool isOpen, long double number) {
  const bool isOfNumbers = column.type != Type::Text && column.type != Type::Flag;
  if (!isOpen && !isOfNumbers) return Type::Text;
  for (const Type type : {Type::Unsigned, Type::Signed, Type::Fraction}) {
    // A column of fractions stays one, however whole its numbers are.
    if (isOfNumbers && column.type == Type::Fraction && type != Type::Fraction) continue;
    bool isFit = isHeldBy(type, number);
    if (isOfNumbers && type != column.type) {
      for (std::size_t row = 0; row < column.numbers.size() && isFit; ++row)
        isFit = isHeldBy(type, numberOf(column.type, column.numbers[row]));
    }
    if (isFit) return type;
  }
  return Type::Text;
}

void TypedColumns::addText(std::size_t place, std::string_view text) {
  TypedColumn& column = m_columns[place];
  auto& places = m_growing[place].places;
  auto known = places.find(text);
  if (known == places.end()) {
    known = places.emplace(text, static_cast<std::int32_t>(column.textCount())).first;
    column.texts += text;
    column.textEnds.push_back(static_cast<std::int64_t>(column.texts.size()));
  }
  column.places.push_back(known->second);
}

void TypedColumns::widen(std::size_t place, Type type) {
  TypedColumn& column = m_columns[place];
  const TypedColumn before = std::exchange(column, {.column = column.column, .type = type});
  column.present = before.present;
  column.missing = before.missing;
  for (std::size_t row = 0; row < m_rows; ++row) {
    const bool isThere = bitOf(before.present, row);
    if (type == Type::Flag) {
      setBit(column.flags, row, false);
    } else if (type != Type::Text) {
      const bool isNumber = isThere && !before.numbers.empty();
      column.numbers.push_back(isNumber ? bitsOf(type, numberOf(before.type, before.numbers[row])) : 0);
    } else if (!isThere) {
      column.places.push_back(0);
    } else if (before.type == Type::Flag) {
      addText(place, toString(QueryValue::ofFlag(bitOf(before.flags, row))));
    } else {
      QueryValue value{.state = QueryValue::State::There, .number = numberOf(before.type, before.numbers[row])};
      value.isAddress = m_growing[place].isAddress;
      addText(place, toString(value));
    }
  }
}

}  // namespace heapscape::engine
