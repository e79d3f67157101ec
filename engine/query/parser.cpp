// SPDX-License-Identifier: MIT
#include "query/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "query/lexer.h"

namespace heapscape::engine {
namespace {

using TokenKind = QueryToken::Kind;

bool isKeyword(const QueryToken& token) {
  return token.isWord("and") || token.isWord("or") || token.isWord("not") || token.isWord("in");
}

// Too large a number is infinite, as it would be for the runtime.
template <class Number>
Number scaled(const QueryToken& token) {
  const auto read = numberFrom<Number>(token.text);
  return read.value_or(std::numeric_limits<Number>::infinity()) * static_cast<Number>(token.factor);
}

void readNumber(QueryLiteral& literal, const QueryToken& token) {
  literal.kind = QueryLiteral::Kind::Number;
  const bool isNegative = token.text.front() == '-';
  const std::string_view digits = std::string_view(token.text).substr(isNegative ? 1 : 0);
  const bool isHexadecimal = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  if (!isHexadecimal) {
    literal.number = scaled<long double>(token);
    literal.asDouble = scaled<double>(token);
    literal.asFloat = scaled<float>(token);
    return;
  }
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data() + 2, digits.data() + digits.size(), number, 16);
  literal.number =
      read.ec == std::errc() ? static_cast<long double>(number) : std::numeric_limits<long double>::infinity();
  if (isNegative) literal.number = -literal.number;
  literal.asDouble = static_cast<double>(literal.number);
  literal.asFloat = static_cast<float>(literal.number);
}

QueryLiteral literalOf(const QueryToken& token) {
  QueryLiteral literal{.text = token.text, .position = token.position, .length = token.length};
  literal.isQuoted = token.kind == TokenKind::String;
  if (token.kind == TokenKind::Pattern) {
    literal.kind = QueryLiteral::Kind::Pattern;
  } else if (token.kind == TokenKind::Number) {
    readNumber(literal, token);
    literal.isPercentage = token.unit == "%";
  } else if (token.isWord("null")) {
    literal.kind = QueryLiteral::Kind::Null;
  } else if (token.isWord("true") || token.isWord("false")) {
    literal.kind = QueryLiteral::Kind::Flag;
    literal.flag = token.isWord("true");
  }
  return literal;
}

QueryOperator operatorOf(const QueryToken& token) {
  for (const QueryOperator each :
       {QueryOperator::Equal, QueryOperator::NotEqual, QueryOperator::LessEqual, QueryOperator::GreaterEqual,
        QueryOperator::Less, QueryOperator::Greater, QueryOperator::Contains}) {
    if (token.text == toString(each)) return each;
  }
  return QueryOperator::ContainsNot;
}

/// Recursive descent; as deep as kDeepestQuery allows.
class Parser {
 public:
  explicit Parser(std::string_view text) : m_tokens(tokensOf(text)) {}

  QueryResult<QueryExpression> run() {
    auto expression = readOr(0);
    if (!expression) return expression;
    if (const QueryToken& rest = current(); rest.kind != TokenKind::End) {
      if (rest.kind == TokenKind::Close) return wrong(rest, "This parenthesis closes nothing.");
      return wrong(rest, fmt::format("“{}” is not expected here.", rest.text),
                   expectedBehind(m_tokens[m_at - 1], rest));
    }
    return expression;
  }

 private:
  const QueryToken& current() const { return m_tokens[m_at]; }
  const QueryToken& following() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
  const QueryToken& take() { return m_tokens[m_at + 1 < m_tokens.size() ? m_at++ : m_at]; }

  static tl::unexpected<QueryError> wrong(const QueryToken& token, std::string what, std::string help = {}) {
    return queryFailure(token.position, token.length, std::move(what), std::move(help));
  }
  // Text close to a value was meant to belong to it.
  static std::string expectedBehind(const QueryToken& value, const QueryToken& rest) {
    if (rest.position > value.end() || rest.kind == TokenKind::Operator) return "Expected “and” or “or”.";
    if (value.kind == TokenKind::Number) return "Numbers are written as in 1000, 1.5 or 64 KB.";
    return "Text with such characters stands in quotation marks.";
  }
  static std::string seen(const QueryToken& token) {
    return token.kind == TokenKind::End ? std::string("the query ends here") : fmt::format("found “{}”", token.text);
  }

  QueryResult<QueryExpression> readOr(std::size_t depth) {
    return readSeries(QueryExpression::Kind::Or, "or", [&] { return readAnd(depth); });
  }
  QueryResult<QueryExpression> readAnd(std::size_t depth) {
    return readSeries(QueryExpression::Kind::And, "and", [&] { return readTerm(depth); });
  }

  template <class Read>
  QueryResult<QueryExpression> readSeries(QueryExpression::Kind kind, std::string_view word, const Read& read) {
    auto first = read();
    if (!first || !current().isWord(word)) return first;
    QueryExpression series{.kind = kind};
    series.children.push_back(std::move(*first));
    while (current().isWord(word)) {
      take();
      auto next = read();
      if (!next) return next;
      series.children.push_back(std::move(*next));
    }
    return series;
  }

  QueryResult<QueryExpression> readTerm(std::size_t depth) {
    if (depth > kDeepestQuery) return wrong(current(), "The query is nested too deeply.");
    if (current().isWord("not")) {
      take();
      auto inner = readTerm(depth + 1);
      if (!inner) return inner;
      QueryExpression negation{.kind = QueryExpression::Kind::Not};
      negation.children.push_back(std::move(*inner));
      return negation;
    }
    if (current().kind != TokenKind::Open) return readComparison();
    const QueryToken open = take();
    auto inner = readOr(depth + 1);
    if (!inner) return inner;
    if (current().kind == TokenKind::End) return wrong(open, "This parenthesis is not closed.", "Expected “)”.");
    if (current().kind != TokenKind::Close)
      return wrong(current(), fmt::format("“{}” is not expected here.", current().text),
                   "Expected “and”, “or” or “)”.");
    take();
    return inner;
  }

  QueryResult<QueryExpression> readComparison() {
    QueryExpression comparison{.kind = QueryExpression::Kind::Comparison};
    if (auto read = readField(comparison); !read) return tl::unexpected(std::move(read.error()));
    const QueryToken& next = current();
    const bool isNegated = next.isWord("not") && following().isWord("in");
    if (isNegated || next.isWord("in")) {
      comparison.operatorPosition = next.position;
      comparison.operatorLength = (isNegated ? following() : next).end() - next.position;
      comparison.comparison = isNegated ? QueryOperator::NotIn : QueryOperator::In;
      if (isNegated) take();
      take();
      if (auto read = readList(comparison); !read) return tl::unexpected(std::move(read.error()));
    } else if (next.kind == TokenKind::Operator) {
      comparison.operatorPosition = next.position;
      comparison.operatorLength = next.length;
      comparison.comparison = operatorOf(next);
      take();
      if (auto read = readLiteral(comparison); !read) return tl::unexpected(std::move(read.error()));
    }
    // A field alone is a flag; whether it is one is known only when the query is bound.
    return comparison;
  }

  QueryResult<void> readField(QueryExpression& comparison) {
    const QueryToken& name = current();
    if (name.kind != TokenKind::Word || isKeyword(name)) {
      return wrong(name, fmt::format("A field is missing: {}.", seen(name)),
                   "Expected a field such as type, size or retained.");
    }
    comparison.field = name.text;
    comparison.position = name.position;
    comparison.length = name.length;
    take();
    if (current().kind != TokenKind::Open) return {};
    if (!name.isWord("field")) {
      return wrong(name, fmt::format("“{}” takes no parenthesis.", name.text),
                   "Fields of objects are asked for as in field(\"Customer.Name\").");
    }
    take();
    const QueryToken& path = current();
    const bool isPath = (path.kind == TokenKind::String || path.kind == TokenKind::Word) && !path.text.empty();
    if (!isPath) return wrong(path, "The name of a field is missing.", "Expected as in field(\"Customer.Name\").");
    if (!path.isClosed) return wrong(path, "The quotation mark is not closed.");
    if (!isFieldPath(path.text))
      return wrong(path, fmt::format("“{}” names no field.", path.text), "Expected as in field(\"Customer.Name\").");
    comparison.path = path.text;
    take();
    if (current().kind != TokenKind::Close) return wrong(current(), "The parenthesis is not closed.", "Expected “)”.");
    comparison.length = current().end() - comparison.position;
    take();
    return {};
  }

  QueryResult<void> readList(QueryExpression& comparison) {
    if (current().kind != TokenKind::Open)
      return wrong(current(), fmt::format("A list is missing: {}.", seen(current())), "Expected as in (1, 2).");
    do {
      take();
      if (auto read = readLiteral(comparison); !read) return read;
    } while (current().kind == TokenKind::Comma);
    if (current().kind != TokenKind::Close)
      return wrong(current(), fmt::format("The list does not end: {}.", seen(current())), "Expected “,” or “)”.");
    take();
    return {};
  }

  QueryResult<void> readLiteral(QueryExpression& comparison) {
    const QueryToken& value = current();
    const bool isValue = value.kind == TokenKind::String || value.kind == TokenKind::Number ||
                         value.kind == TokenKind::Pattern || (value.kind == TokenKind::Word && !isKeyword(value));
    if (!isValue) {
      return wrong(value, fmt::format("A value is missing: {}.", seen(value)),
                   "Expected a number, true, false, null, or text in quotation marks.");
    }
    if (!value.isClosed) {
      return wrong(value, value.kind == TokenKind::Pattern ? "The regular expression is not closed."
                                                           : "The quotation mark is not closed.");
    }
    if (++m_values > kMostComparisons) return wrong(value, "The query compares too many values.");
    comparison.literals.push_back(literalOf(value));
    take();
    return {};
  }

  const std::vector<QueryToken> m_tokens;
  std::size_t m_at = 0;
  std::size_t m_values = 0;
};

// "List<Order>" begins like a comparison, and "Size=24" is part of names of types, but nobody writes so by chance.
bool isMeantAsComparison(const QueryToken& name, const QueryToken& next, const QueryToken& behind) {
  if (next.kind == TokenKind::Open) return next.position == name.end() && behind.kind == TokenKind::String;
  if (next.isWord("in")) return behind.kind == TokenKind::Open;
  if (next.isWord("not")) return behind.isWord("in");
  if (next.kind != TokenKind::Operator) return false;
  const bool standsAlone =
      next.position > name.end() && (behind.position > next.end() || behind.kind == TokenKind::End);
  return standsAlone || behind.kind == TokenKind::String;
}

}  // namespace

bool isFieldPath(std::string_view path) {
  return !path.empty() && path.front() != '.' && path.back() != '.' && path.find("..") == std::string_view::npos;
}

bool isPlainText(const std::vector<QueryToken>& tokens, const QuerySchema& schema) {
  const auto tokenAt = [&](std::size_t place) -> const QueryToken& {
    return tokens[std::min(place, tokens.size() - 1)];
  };
  for (std::size_t at = 0;; at += 2) {
    bool isNegated = false;
    while (tokenAt(at).kind == TokenKind::Open || tokenAt(at).isWord("not")) isNegated |= tokens[at++].isWord("not");
    const QueryToken& name = tokenAt(at);
    const QueryToken& next = tokenAt(at + 1);
    // "= 3" lacks its field, "<Main>" is a name.
    if (name.kind == TokenKind::Operator) return next.kind == TokenKind::End || next.position == name.end();
    if (name.kind != TokenKind::Word) return true;
    if (schema.hasObjectFields && name.isWord("field") && next.kind == TokenKind::Open) return false;
    if (schema.find(name.text)) {
      const bool isCompared = next.kind == TokenKind::Operator || isKeyword(next);
      const bool isFlagInside = at > 0 && (next.kind == TokenKind::Close || (isNegated && next.kind == TokenKind::End));
      return !isCompared && !isFlagInside;
    }
    if (isMeantAsComparison(name, next, tokenAt(at + 2))) return false;
    if (!next.isWord("and") && !next.isWord("or")) return true;
  }
}

QueryResult<QueryExpression> parseQuery(std::string_view text) {
  if (text.size() > kLongestQuery) return queryFailure(kLongestQuery, 0, "The query is too long.");
  return Parser(text).run();
}

}  // namespace heapscape::engine
