// SPDX-License-Identifier: MIT
#include "query/lexer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace heapscape::engine {
namespace {

using TokenKind = QueryToken::Kind;

struct Unit {
  std::string_view name;
  double factor;
};
constexpr std::array kUnits{
    Unit{"KB", 1024.0},  Unit{"MB", 1048576.0},  Unit{"GB", 1073741824.0},  Unit{"TB", 1099511627776.0}, Unit{"B", 1.0},
    Unit{"KiB", 1024.0}, Unit{"MiB", 1048576.0}, Unit{"GiB", 1073741824.0}, Unit{"TiB", 1099511627776.0}};
constexpr std::size_t kLongestArguments = 2048;  // of a generic type in a value without quotation marks

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
// Letters of all scripts, and what names of types and members are made of beside them.
bool isWordCharacter(char c) {
  return isDigit(c) || (lowerCase(c) >= 'a' && lowerCase(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_.+`$@#:*?[]{}|&-").find(c) != std::string_view::npos;
}

/// Goes through the text once, from left to right.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  std::vector<QueryToken> run() {
    while (true) {
      while (m_at < m_text.size() && isSpace(m_text[m_at])) ++m_at;
      m_tokens.push_back(next());
      if (m_tokens.back().kind == TokenKind::End) return std::move(m_tokens);
      m_at = m_tokens.back().end();
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

  QueryToken next() const {
    if (m_at >= m_text.size()) return {.kind = TokenKind::End, .position = m_text.size(), .text = {}, .unit = {}};
    const char c = peek();
    if (c == '(') return token(TokenKind::Open, 1);
    if (c == ')') return token(TokenKind::Close, 1);
    if (c == ',') return token(TokenKind::Comma, 1);
    if (c == '"' || c == '\'') return quoted(TokenKind::String);
    if (c == '/' && isBehindPatternOperator()) return quoted(TokenKind::Pattern);
    const bool isValue = isValueExpected();
    if (isValue && argumentsEnd(m_at) > m_at) return token(TokenKind::Word, valueLength());
    if (const std::size_t length = operatorLength()) return token(TokenKind::Operator, length);
    if (isDigit(c) || (c == '-' && isDigit(peek(1)))) return number();
    if (isWordCharacter(c)) return token(TokenKind::Word, isValue ? valueLength() : wordLength(m_at));
    return token(TokenKind::Unknown, 1);
  }

  // Behind an operator, and within the list of an "in".
  bool isValueExpected() const {
    if (m_tokens.empty()) return false;
    const TokenKind last = m_tokens.back().kind;
    return last == TokenKind::Operator || last == TokenKind::Comma ||
           (last == TokenKind::Open && m_tokens.size() > 1 && m_tokens[m_tokens.size() - 2].isWord("in"));
  }

  // A word that may be the name of a generic type or an array: "List<Shop.Order>", "Dictionary<int, string>[,]".
  std::size_t valueLength() const {
    std::size_t end = m_at;
    while (end < m_text.size()) {
      const std::size_t behind = std::max(argumentsEnd(end), ranksEnd(end));
      if (behind == end && !isWordCharacter(m_text[end])) break;
      end = std::max(behind, end + 1);
    }
    return end - m_at;
  }

  // Behind the ">" of the "<" at `from`; `from` if that is none or has none.
  std::size_t argumentsEnd(std::size_t from) const {
    std::size_t open = 0;
    const std::size_t end = std::min(m_text.size(), from + kLongestArguments);
    for (std::size_t at = from; at < end; ++at) {
      if (m_text[at] == '<') ++open;
      if (open == 0 || m_text[at] == '"' || m_text[at] == '\'') return from;
      if (m_text[at] == '>' && --open == 0) return at + 1;
    }
    return from;
  }

  // Behind the "]" of "[,,]"; `from` for anything else.
  std::size_t ranksEnd(std::size_t from) const {
    if (m_text[from] != '[') return from;
    const std::size_t end = m_text.find_first_not_of(',', from + 1);
    return end != std::string_view::npos && m_text[end] == ']' ? end + 1 : from;
  }

  QueryToken token(TokenKind kind, std::size_t length) const {
    QueryToken token{.kind = kind, .position = m_at, .length = length, .text = {}, .unit = {}};
    token.text = m_text.substr(m_at, length);
    if (token.text == "==") token.text = "=";
    return token;
  }

  std::size_t wordLength(std::size_t from) const {
    std::size_t end = from;
    while (end < m_text.size() && isWordCharacter(m_text[end])) ++end;
    return end - from;
  }

  std::size_t operatorLength() const {
    const std::string_view two = m_text.substr(m_at, 2);
    for (const std::string_view name : {"!=", "<=", ">=", "!~", "=="}) {
      if (two == name) return 2;
    }
    return std::string_view("=<>~").find(peek()) != std::string_view::npos ? 1 : 0;
  }

  bool isBehindPatternOperator() const {
    return !m_tokens.empty() && m_tokens.back().kind == TokenKind::Operator && m_tokens.back().text.back() == '~';
  }

  QueryToken quoted(TokenKind kind) const {
    const char mark = peek();
    QueryToken token{.kind = kind, .position = m_at, .text = {}, .isClosed = false, .unit = {}};
    std::size_t at = m_at + 1;
    for (; at < m_text.size(); ++at) {
      if (m_text[at] == mark) {
        token.isClosed = true;
        ++at;
        break;
      }
      if (m_text[at] == '\\' && at + 1 < m_text.size()) {
        appendEscaped(token, kind, mark, m_text[++at]);
      } else {
        token.text += m_text[at];
      }
    }
    token.length = at - m_at;
    return token;
  }

  // A pattern keeps its own escapes, but for the mark that would end it.
  static void appendEscaped(QueryToken& token, TokenKind kind, char mark, char c) {
    if (kind == TokenKind::Pattern) {
      if (c != mark) token.text += '\\';
      token.text += c;
      return;
    }
    token.text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }

  QueryToken number() const {
    std::size_t end = m_at + (peek() == '-' ? 1 : 0);
    const bool isHexadecimal = m_text[end] == '0' && end + 1 < m_text.size() && lowerCase(m_text[end + 1]) == 'x';
    if (isHexadecimal) {
      end += 2;
      while (end < m_text.size() &&
             (isDigit(m_text[end]) || (lowerCase(m_text[end]) >= 'a' && lowerCase(m_text[end]) <= 'f')))
        ++end;
    } else {
      end = decimalEnd(end);
    }
    QueryToken number = token(TokenKind::Number, end - m_at);
    if (!isHexadecimal) takeUnit(number);
    // "3rd", "1.2.3": no number, but a value without quotation marks.
    const bool goesOn = number.end() < m_text.size() && isWordCharacter(m_text[number.end()]);
    return goesOn ? token(TokenKind::Word, wordLength(m_at)) : number;
  }

  std::size_t decimalEnd(std::size_t end) const {
    const auto skipDigits = [&] {
      while (end < m_text.size() && isDigit(m_text[end])) ++end;
    };
    skipDigits();
    if (end + 1 < m_text.size() && m_text[end] == '.' && isDigit(m_text[end + 1])) {
      ++end;
      skipDigits();
    }
    if (end < m_text.size() && lowerCase(m_text[end]) == 'e') {
      std::size_t exponent = end + 1;
      if (exponent < m_text.size() && (m_text[exponent] == '+' || m_text[exponent] == '-')) ++exponent;
      if (exponent < m_text.size() && isDigit(m_text[exponent])) {
        end = exponent;
        skipDigits();
      }
    }
    return end;
  }

  void takeUnit(QueryToken& number) const {
    std::size_t at = number.end();
    while (at < m_text.size() && isSpace(m_text[at])) ++at;
    if (at < m_text.size() && m_text[at] == '%') {
      number.length = at + 1 - number.position;
      number.factor = 0.01;
      number.unit = "%";
      return;
    }
    const std::size_t length = wordLength(at);
    for (const Unit& unit : kUnits) {
      if (!equalsIgnoringCase(m_text.substr(at, length), unit.name)) continue;
      number.length = at + length - number.position;
      number.factor = unit.factor;
      number.unit = unit.name;
    }
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::vector<QueryToken> m_tokens;
};

}  // namespace

bool QueryToken::isWord(std::string_view word) const {
  return kind == TokenKind::Word && equalsIgnoringCase(text, word);
}

std::vector<QueryToken> tokensOf(std::string_view text) {
  return Lexer(text).run();
}

std::optional<Quantity> quantityOf(std::string_view text) {
  constexpr double kLargest = 9e15;  // doubles hold every whole number up to here
  const std::vector<QueryToken> tokens = tokensOf(text);
  if (tokens.size() != 2 || tokens.front().kind != QueryToken::Kind::Number) return std::nullopt;
  const QueryToken& token = tokens.front();
  const auto number = numberFrom<double>(token.text);
  const double value = number.value_or(-1) * (token.unit == "%" ? 1 : token.factor);
  if (!(value >= 0 && value <= kLargest)) return std::nullopt;
  return Quantity{value, token.unit};
}

}  // namespace heapscape::engine
