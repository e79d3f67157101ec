// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/parser.h"
#include "query/query_value.h"

namespace re2 {
class RE2;
}

namespace heapscape::engine {

/// Which whole numbers a comparison accepts: of millions of them none has to be made a floating one.
class WholeNumbers {
 public:
  bool contain(std::uint64_t number) const {
    for (const Range& range : m_ranges) {
      if (range.first <= number && number <= range.last) return !m_isTurnedRound;
    }
    return m_isTurnedRound;
  }

 private:
  friend class ValueTest;
  struct Range {
    std::uint64_t first, last;
  };
  std::vector<Range> m_ranges;
  bool m_isTurnedRound = false;  // all others
};

/// A comparison as a test of the value of its field. Safe to use from any thread.
class ValueTest {
 public:
  /// `pattern`: of Contains and ContainsNot; it has been made of the only literal.
  ValueTest(QueryOperator comparison, std::vector<QueryLiteral> literals, std::shared_ptr<const re2::RE2> pattern);

  bool accepts(const QueryValue& value) const;
  /// Whether it is !=, !~ or not in, which say what a value is not.
  bool isExclusion() const { return isNegated() || m_operator == QueryOperator::ContainsNot; }
  /// Whether it is ~ or !~, which look into the text that a value is written as.
  bool isAboutText() const { return m_pattern != nullptr; }
  /// Whether it is a regular expression among these.
  bool isPattern() const { return m_pattern && m_needle.empty(); }
  /// A word (letters and digits of ASCII, in lower case) without which a text is none of those that = or ~ looks for,
  /// so that it follows from isExclusion() whether it is accepted. Empty if there is none.
  std::string searchedWord() const;
  bool acceptsNull() const;
  bool acceptsFlag(bool flag) const;
  bool acceptsNumber(long double number, QueryValue::Width width = QueryValue::Width::Exact) const;
  /// All whole numbers that it accepts.
  WholeNumbers acceptedWholeNumbers() const;
  bool acceptsText(std::string_view text) const;
  /// Whether one of the literals begins with a quotation mark, so that the line of a String may be meant rather than
  /// its characters.
  bool isAboutQuoted() const;
  /// Result for a String by its characters, and where isAboutQuoted() by its line as well. Not for ~ and !~, which look
  /// into the line.
  bool acceptsString(bool areCharactersAccepted, bool isLineAccepted) const {
    return isExclusion() ? areCharactersAccepted && isLineAccepted : areCharactersAccepted || isLineAccepted;
  }
  /// As above for UTF-16 of a dump, quicker than by its UTF-8 where that can be. `utf8` is room to work in.
  bool acceptsCharacters(std::span<const std::byte> utf16, std::string& utf8) const;

 private:
  std::optional<bool> tryAcceptAscii(std::span<const std::byte> utf16) const;
  bool isNegated() const { return m_operator == QueryOperator::NotEqual || m_operator == QueryOperator::NotIn; }
  bool isOrdering() const { return m_operator >= QueryOperator::Less && m_operator <= QueryOperator::GreaterEqual; }
  template <class Value>
  bool holds(const Value& left, const Value& right) const;

  QueryOperator m_operator;
  std::vector<QueryLiteral> m_literals;
  std::shared_ptr<const re2::RE2> m_pattern;
  std::string m_needle;  // what the pattern looks for, in lower case, if it is ASCII and no regular expression
};

}  // namespace heapscape::engine
