// SPDX-License-Identifier: MIT
#include "query/value_test.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/ascii.h"
#include "base/unicode.h"

namespace heapscape::engine {
namespace {

constexpr int kShortestWord = 2;
constexpr std::size_t kMostPieces = 64;  // more are alternatives, none of which is needed

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// The longest word of a text: letters and digits of ASCII, in lower case as the text is. Empty if there is none.
std::string longestWord(std::string_view text) {
  std::string_view longest;
  for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
    for (end = from; end < text.size() && isOfWord(text[end]);) ++end;
    if (end - from > longest.size()) longest = text.substr(from, end - from);
  }
  return std::string(longest);
}

/// The longest such word that every text holds, in letters of either case, in which the expression is found. Empty if
/// none of two letters or more is certain to be there.
std::string wordOfPattern(const re2::RE2& pattern) {
  // The library tells pieces of text, some of which have to be there. One without which the expression is given up,
  // though all others are there, is needed.
  re2::FilteredRE2 filter(kShortestWord);
  int id = 0;
  if (filter.Add(pattern.pattern(), pattern.options(), &id) != re2::RE2::NoError) return {};
  std::vector<std::string> pieces;
  filter.Compile(&pieces);
  if (pieces.size() > kMostPieces) return {};
  std::string longest;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    std::vector<int> others, possible;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (i != piece) others.push_back(static_cast<int>(i));
    filter.AllPotentials(others, &possible);
    std::string word = possible.empty() ? longestWord(pieces[piece]) : std::string();
    if (word.size() > longest.size()) longest = std::move(word);
  }
  return longest.size() >= kShortestWord ? longest : std::string();
}

}  // namespace

using LiteralKind = QueryLiteral::Kind;

ValueTest::ValueTest(QueryOperator comparison, std::vector<QueryLiteral> literals,
                     std::shared_ptr<const re2::RE2> pattern)
    : m_operator(comparison), m_literals(std::move(literals)), m_pattern(std::move(pattern)) {
  const bool isPlain = m_pattern && !m_literals.empty() && m_literals.front().kind != LiteralKind::Pattern;
  if (!isPlain) return;
  const std::string& text = m_literals.front().text;
  const bool isAscii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (isAscii) m_needle = lowerCase(text);
}

template <class Value>
bool ValueTest::holds(const Value& left, const Value& right) const {
  switch (m_operator) {
    case QueryOperator::Less:
      return left < right;
    case QueryOperator::LessEqual:
      return left <= right;
    case QueryOperator::Greater:
      return left > right;
    case QueryOperator::GreaterEqual:
      return left >= right;
    default:
      return left == right;
  }
}

std::string ValueTest::searchedWord() const {
  if (isPattern()) return wordOfPattern(*m_pattern);
  const bool isEquality = (m_operator == QueryOperator::Equal || m_operator == QueryOperator::NotEqual) &&
                          m_literals.size() == 1 && m_literals.front().kind != LiteralKind::Null;
  return longestWord(isEquality ? lowerCase(m_literals.front().text) : m_needle);
}

bool ValueTest::acceptsNull() const {
  const bool isListed =
      std::ranges::any_of(m_literals, [](const QueryLiteral& l) { return l.kind == LiteralKind::Null; });
  // Null has no order and no text, but it is not equal to anything else.
  if (isNegated()) return !isListed;
  return isListed && (m_operator == QueryOperator::Equal || m_operator == QueryOperator::In);
}

bool ValueTest::acceptsFlag(bool flag) const {
  if (isOrdering() || m_pattern) return false;
  const auto isEqual = [&](const QueryLiteral& literal) {
    return literal.kind == LiteralKind::Flag && literal.flag == flag;
  };
  return std::ranges::any_of(m_literals, isEqual) != isNegated();
}

bool ValueTest::acceptsNumber(long double number, QueryValue::Width width) const {
  if (m_pattern) return false;
  const auto isMet = [&](const QueryLiteral& literal) {
    if (literal.kind != LiteralKind::Number) return false;
    const long double other = width == QueryValue::Width::Exact    ? literal.number
                              : width == QueryValue::Width::Double ? static_cast<long double>(literal.asDouble)
                                                                   : static_cast<long double>(literal.asFloat);
    return holds(number, other);
  };
  return std::ranges::any_of(m_literals, isMet) != isNegated();
}

WholeNumbers ValueTest::acceptedWholeNumbers() const {
  WholeNumbers accepted;
  if (m_pattern) return accepted;
  constexpr long double kEnd = 0x1p64L;  // long doubles hold every number below it
  const auto add = [&](long double first, long double last) {
    if (first > last || last < 0 || first >= kEnd) return;
    accepted.m_ranges.push_back({first <= 0 ? 0 : static_cast<std::uint64_t>(first),
                                 last >= kEnd ? UINT64_MAX : static_cast<std::uint64_t>(last)});
  };
  for (const QueryLiteral& literal : m_literals) {
    if (literal.kind != LiteralKind::Number) continue;
    const long double number = literal.number;
    switch (m_operator) {
      case QueryOperator::Less:
        add(0, std::ceil(number) - 1);
        break;
      case QueryOperator::LessEqual:
        add(0, std::floor(number));
        break;
      case QueryOperator::Greater:
        add(std::floor(number) + 1, kEnd);
        break;
      case QueryOperator::GreaterEqual:
        add(std::ceil(number), kEnd);
        break;
      default:
        add(std::ceil(number), std::floor(number));
    }
  }
  accepted.m_isTurnedRound = isNegated();
  return accepted;
}

bool ValueTest::acceptsText(std::string_view text) const {
  if (m_pattern) {
    const bool isFound =
        m_pattern->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
    return isFound == (m_operator == QueryOperator::Contains);
  }
  const auto isMet = [&](const QueryLiteral& literal) {
    return literal.kind != LiteralKind::Null && holds(text, std::string_view(literal.text));
  };
  return std::ranges::any_of(m_literals, isMet) != isNegated();
}

bool ValueTest::isAboutQuoted() const {
  return !isOrdering() &&
         std::ranges::any_of(m_literals, [](const QueryLiteral& literal) { return literal.text.starts_with('"'); });
}

// Nothing if some character is none of ASCII: letters of other scripts have cases, too, and some are those of ASCII.
std::optional<bool> ValueTest::tryAcceptAscii(std::span<const std::byte> utf16) const {
  const std::size_t units = utf16.size() / sizeof(char16_t);
  const auto unitAt = [&](std::size_t i) {
    char16_t unit = 0;
    std::memcpy(&unit, utf16.data() + i * sizeof unit, sizeof unit);
    return unit;
  };
  char16_t all = 0;
  for (std::size_t i = 0; i < units; ++i) all = static_cast<char16_t>(all | unitAt(i));
  if (all >= 0x80) return std::nullopt;
  bool isFound = false;
  for (std::size_t start = 0; !isFound && start + m_needle.size() <= units; ++start) {
    std::size_t same = 0;
    while (same < m_needle.size() && lowerCase(static_cast<char>(unitAt(start + same))) == m_needle[same]) ++same;
    isFound = same == m_needle.size();
  }
  return isFound == (m_operator == QueryOperator::Contains);
}

bool ValueTest::acceptsCharacters(std::span<const std::byte> utf16, std::string& utf8) const {
  if (!m_needle.empty()) {
    if (const auto accepted = tryAcceptAscii(utf16)) return *accepted;
  }
  const std::size_t units = utf16.size() / sizeof(char16_t);
  utf8.resize(units);
  if (!tryToAscii(utf16, utf8.data())) {
    std::u16string text(units, u'\0');
    std::memcpy(text.data(), utf16.data(), text.size() * sizeof(char16_t));
    utf8 = toUtf8(text);
  }
  return acceptsText(utf8);
}

bool ValueTest::accepts(const QueryValue& value) const {
  if (value.state == QueryValue::State::Absent) return false;
  if (value.state == QueryValue::State::Null) return acceptsNull();
  if (m_pattern) return acceptsText(value.text ? *value.text : toString(value));
  if (value.characters) {
    const bool isOfCharacters = acceptsText(*value.characters);
    return isAboutQuoted() ? acceptsString(isOfCharacters, acceptsText(*value.text)) : isOfCharacters;
  }
  // The literals tell as what a value is meant that can be read in several ways.
  const auto isWrittenAs = [this](LiteralKind kind) {
    return std::ranges::any_of(m_literals, [&](const QueryLiteral& literal) { return literal.kind == kind; });
  };
  if (value.flag && (isWrittenAs(LiteralKind::Flag) || !value.text)) return acceptsFlag(*value.flag);
  if (value.number && (isWrittenAs(LiteralKind::Number) || !value.text))
    return acceptsNumber(*value.number, value.width);
  return value.text && acceptsText(*value.text);
}

}  // namespace heapscape::engine
