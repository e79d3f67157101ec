// SPDX-License-Identifier: MIT
#include "query/query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/ascii.h"
#include "metadata/names/parsed_type_name.h"
#include "query/parser.h"

namespace heapscape::engine {
namespace {

using LiteralKind = QueryLiteral::Kind;

constexpr std::int64_t kPatternMemoryBytes = 8 << 20;

bool isPatternOperator(QueryOperator comparison) {
  return comparison == QueryOperator::Contains || comparison == QueryOperator::ContainsNot;
}
bool isOrdering(QueryOperator comparison) {
  return comparison >= QueryOperator::Less && comparison <= QueryOperator::GreaterEqual;
}

std::shared_ptr<const re2::RE2> patternOf(const std::string& text, bool isLiteral) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(false);
  options.set_literal(isLiteral);
  options.set_max_mem(kPatternMemoryBytes);
  return std::make_shared<const re2::RE2>(text, options);
}

tl::unexpected<QueryError> wrong(const QueryLiteral& literal, std::string what, std::string help = {}) {
  return queryFailure(literal.position, literal.length, std::move(what), std::move(help));
}

/// Holds the fields and values of an expression against a schema.
class Binder {
 public:
  explicit Binder(const QuerySchema& schema) : m_schema(schema) {}

  QueryResult<QueryNode> bind(const QueryExpression& expression) const {
    if (expression.kind == QueryExpression::Kind::Comparison) return bindComparison(expression);
    QueryNode node{.kind = static_cast<QueryNode::Kind>(expression.kind)};
    for (const QueryExpression& child : expression.children) {
      auto bound = bind(child);
      if (!bound) return bound;
      node.children.push_back(std::move(*bound));
    }
    return node;
  }

 private:
  QueryResult<QueryNode> bindComparison(const QueryExpression& expression) const {
    auto reference = findField(expression);
    if (!reference) return tl::unexpected(std::move(reference.error()));
    const QueryField* field =
        reference->field == QueryFieldReference::kObjectField ? nullptr : &m_schema.fields[reference->field];
    QueryOperator comparison = expression.comparison;
    std::vector<QueryLiteral> literals = expression.literals;
    if (literals.empty()) {
      if (!field || field->kind != QueryKind::Flag)
        return queryFailure(expression.position, expression.length,
                            fmt::format("{} is compared with nothing.", nameOf(expression)),
                            fmt::format("Expected {}.", operatorsOf(field)));
      literals.push_back({.kind = LiteralKind::Flag, .text = "true", .flag = true});
    } else if (auto fits = checkOperator(expression, field); !fits) {
      return tl::unexpected(std::move(fits.error()));
    }
    std::shared_ptr<const re2::RE2> pattern;
    if (isPatternOperator(comparison)) {
      const QueryLiteral& literal = literals.front();
      pattern = patternOf(literal.text, literal.kind != LiteralKind::Pattern);
      if (!pattern->ok()) return wrong(literal, fmt::format("This is no regular expression: {}.", pattern->error()));
    } else {
      for (QueryLiteral& literal : literals) {
        if (auto fits = checkLiteral(literal, field, comparison); !fits) return tl::unexpected(std::move(fits.error()));
      }
    }
    QueryNode node{.kind = QueryNode::Kind::Comparison};
    node.comparison.push_back({std::move(*reference), ValueTest(comparison, std::move(literals), std::move(pattern))});
    return node;
  }

  static std::string nameOf(const QueryExpression& expression) {
    return expression.path.empty() ? expression.field : fmt::format("field(\"{}\")", expression.path);
  }

  static std::string operatorsOf(const QueryField* field) {
    if (!field) return "=, !=, <, <=, >, >=, ~, !~ or in";
    switch (field->kind) {
      case QueryKind::Text:
        return "=, !=, ~, !~ or in";
      case QueryKind::Number:
      case QueryKind::Bytes:
        return "=, !=, <, <=, >, >= or in";
      case QueryKind::Address:
        return "=, !=, <, <=, >, >=, ~, !~ or in";
      case QueryKind::Flag:
      case QueryKind::Choice:
        break;
    }
    return "=, != or in";
  }

  QueryResult<QueryFieldReference> findField(const QueryExpression& expression) const {
    if (!expression.path.empty() && m_schema.hasObjectFields)
      return QueryFieldReference{QueryFieldReference::kObjectField, expression.path};
    if (const auto field = expression.path.empty() ? m_schema.find(expression.field) : std::nullopt) {
      const auto percentage = std::ranges::find_if(expression.literals, &QueryLiteral::isPercentage);
      if (percentage != expression.literals.end()) return shareOf(*field, *percentage);
      return QueryFieldReference{*field, {}};
    }
    return tl::unexpected(m_schema.unknownField(expression.field, expression.position, expression.length));
  }

  /// "padding > 10%" asks for the share of the padding.
  QueryResult<QueryFieldReference> shareOf(std::uint32_t field, const QueryLiteral& percentage) const {
    const QueryField& asked = m_schema.fields[field];
    if (const auto share = asked.share.empty() ? std::nullopt : m_schema.find(asked.share))
      return QueryFieldReference{*share, {}};
    return wrong(percentage, fmt::format("{} is not known as a percentage.", asked.name));
  }

  static QueryResult<void> checkOperator(const QueryExpression& expression, const QueryField* field) {
    if (!field) return {};
    const bool hasText = field->kind == QueryKind::Text || field->kind == QueryKind::Address;
    const bool hasOrder =
        field->kind == QueryKind::Number || field->kind == QueryKind::Bytes || field->kind == QueryKind::Address;
    const bool fits =
        (!isPatternOperator(expression.comparison) || hasText) && (!isOrdering(expression.comparison) || hasOrder);
    if (fits) return {};
    return queryFailure(expression.operatorPosition, expression.operatorLength,
                        fmt::format("{} cannot be compared with {}.", field->name, toString(expression.comparison)),
                        fmt::format("Expected {}.", operatorsOf(field)));
  }

  QueryResult<void> checkLiteral(QueryLiteral& literal, const QueryField* field, QueryOperator comparison) const {
    if (literal.kind == LiteralKind::Pattern) return wrong(literal, "A regular expression stands only behind ~ or !~.");
    if (literal.kind == LiteralKind::Null) {
      if (!isOrdering(comparison)) return {};
      return wrong(literal, "null is neither less nor greater than anything.", "Expected = or != before it.");
    }
    if (!field) return {};
    switch (field->kind) {
      case QueryKind::Text:
        if (field->isTypeName) literal.text = runtimeTypeName(literal.text);
        return {};
      case QueryKind::Number:
      case QueryKind::Bytes:
      case QueryKind::Address:
        if (literal.kind == LiteralKind::Number) return {};
        return wrong(literal, fmt::format("{} is a number; “{}” is none.", field->name, literal.text),
                     !literal.isQuoted && m_schema.find(literal.text)
                         ? "A field is compared with a value, not with another field."
                     : field->kind == QueryKind::Bytes   ? "Expected as in 100, 64 KB or 1.5 MB."
                     : field->kind == QueryKind::Address ? "Expected as in 0x7f0012345678."
                                                         : "Expected as in 100.");
      case QueryKind::Flag:
        if (literal.kind == LiteralKind::Flag) return {};
        return wrong(literal, fmt::format("{} is true or false.", field->name), "Expected true or false.");
      case QueryKind::Choice:
        break;
    }
    return takeChoice(literal, *field);
  }

  // "2" stands for "gen2": a choice is found by its end, too, where that is a number.
  static QueryResult<void> takeChoice(QueryLiteral& literal, const QueryField& field) {
    for (const std::string& choice : field.choices) {
      const bool isNumber = literal.kind == LiteralKind::Number && choice.ends_with(literal.text) &&
                            choice.size() > literal.text.size() &&
                            choice.find_first_of("0123456789") == choice.size() - literal.text.size();
      if (!isNumber && !equalsIgnoringCase(choice, literal.text)) continue;
      literal.kind = LiteralKind::Text;
      literal.text = choice;
      return {};
    }
    return wrong(literal, fmt::format("{} is never “{}”.", field.name, literal.text),
                 fmt::format("Expected {}.", fmt::join(field.choices, ", ")));
  }

  const QuerySchema& m_schema;
};

QueryNode plainNode(std::string_view text, const QuerySchema& schema) {
  QueryNode node;
  if (text.empty()) return node;
  node.kind = QueryNode::Kind::Or;
  const auto pattern = patternOf(std::string(text), true);
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    if (!schema.fields[i].isPlain) continue;
    QueryNode child{.kind = QueryNode::Kind::Comparison};
    child.comparison.push_back({{i, {}}, ValueTest(QueryOperator::Contains, {}, pattern)});
    node.children.push_back(std::move(child));
  }
  return node;
}

void collectFields(const QueryNode& node, std::vector<QueryFieldReference>& fields) {
  for (const QueryComparison& comparison : node.comparison) {
    if (std::ranges::find(fields, comparison.field) == fields.end()) fields.push_back(comparison.field);
  }
  for (const QueryNode& child : node.children) collectFields(child, fields);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace

QueryResult<Query> makeQuery(std::string_view text, const QuerySchema& schema) {
  if (text.size() > kLongestQuery) return queryFailure(kLongestQuery, 0, "The query is too long.");
  if (isPlainText(tokensOf(text), schema)) return Query{plainNode(trimmed(text), schema), true};
  const auto expression = parseQuery(text);
  if (!expression) return tl::unexpected(expression.error());
  auto root = Binder(schema).bind(*expression);
  if (!root) return tl::unexpected(std::move(root.error()));
  return Query{std::move(*root), false};
}

Error toError(const QueryError& error) {
  return {ErrorCode::BadQuery, error.what, error.help};
}

std::vector<QueryFieldReference> fieldsOf(const Query& query) {
  std::vector<QueryFieldReference> fields;
  collectFields(query.root, fields);
  return fields;
}

}  // namespace heapscape::engine
