// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapscape::engine {

/// A number that is the whole text, whatever the locale; nothing if the text is none, or beyond the type.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A piece of a query's text.
struct QueryToken {
  enum class Kind : std::uint8_t {
    Word,      // a field, a keyword, or a value without quotation marks
    Number,    // 42, -1.5, 0x7f…, 1 MB
    String,    // "…" or '…'
    Pattern,   // /…/, only behind ~ and !~
    Operator,  // = != < <= > >= ~ !~
    Open,
    Close,
    Comma,
    Unknown,  // anything else
    End,
  };
  Kind kind = Kind::End;
  std::size_t position = 0;  // in bytes
  std::size_t length = 0;
  std::string text;       // of a String or Pattern what is between the marks, without escapes; of "==" it is "="
  bool isClosed = true;   // false for a String or Pattern without its second mark
  double factor = 1;      // of a Number: of its unit
  std::string_view unit;  // "MB", "%"; empty for none

  std::size_t end() const { return position + length; }
  /// The keyword or name, whatever its case; `word` in lower case.
  bool isWord(std::string_view word) const;
};

/// The tokens of a text. Never fails: what cannot be read is Unknown. The last one is End.
std::vector<QueryToken> tokensOf(std::string_view text);

/// "1000", "200 MB", "5%": a number as queries write it.
struct Quantity {
  double value = 0;       // in bytes where it has a unit; of "5%" the 5
  std::string_view unit;  // as QueryToken has it
};
/// Nothing for a text that is anything else, and for what is less than 0 or beyond what doubles hold exactly.
std::optional<Quantity> quantityOf(std::string_view text);

}  // namespace heapscape::engine
