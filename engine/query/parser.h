// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "query/lexer.h"
#include "query/schema.h"

namespace heapscape::engine {

enum class QueryOperator : std::uint8_t {
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Contains,
  ContainsNot,
  In,
  NotIn,
};
template <>
inline constexpr auto kEnumNames<QueryOperator> = std::to_array<EnumName<QueryOperator>>({
    {QueryOperator::Equal, "="},
    {QueryOperator::NotEqual, "!="},
    {QueryOperator::Less, "<"},
    {QueryOperator::LessEqual, "<="},
    {QueryOperator::Greater, ">"},
    {QueryOperator::GreaterEqual, ">="},
    {QueryOperator::Contains, "~"},
    {QueryOperator::ContainsNot, "!~"},
    {QueryOperator::In, "in"},
    {QueryOperator::NotIn, "not in"},
});

/// A value as it was written.
struct QueryLiteral {
  enum class Kind : std::uint8_t { Null, Flag, Number, Text, Pattern };
  Kind kind = Kind::Text;
  std::string text;  // as written, without quotation marks and escapes
  bool isQuoted = false;
  bool isPercentage = false;  // a Number with %: `number` is the share, 0.1 of "10%"
  bool flag = false;
  // x87 numbers hold every 64-bit integer and every double exactly. Fields of narrower types are compared with what
  // their own type makes of the number.
  long double number = 0;
  double asDouble = 0;
  float asFloat = 0;
  std::size_t position = 0;
  std::size_t length = 0;
};

/// A query as it was written: nothing is known yet of its fields.
struct QueryExpression {
  enum class Kind : std::uint8_t { And, Or, Not, Comparison };
  Kind kind = Kind::And;
  std::vector<QueryExpression> children = {};  // of And none at all means: everything

  // Comparison
  std::string field = {};  // its name; of a field of the objects themselves "field"
  std::string path = {};   // of these: "Customer.Name"
  std::size_t position = 0;
  std::size_t length = 0;
  QueryOperator comparison = QueryOperator::Equal;
  std::size_t operatorPosition = 0;
  std::size_t operatorLength = 0;
  std::vector<QueryLiteral> literals = {};  // several of In and NotIn; none of a field that stands alone
};

inline constexpr std::size_t kLongestQuery = 64 * 1024;  // bytes
inline constexpr std::size_t kDeepestQuery = 64;         // parentheses and nots within each other
inline constexpr std::size_t kMostComparisons = 1000;    // with all values of lists

/// "Name", "Customer.Name": names with dots between them.
bool isFieldPath(std::string_view path);

/// Whether a text is no query but part of a name: no term of it is a comparison, or was meant as one that is not whole
/// or names a field that there is not.
bool isPlainText(const std::vector<QueryToken>& tokens, const QuerySchema& schema);

/// Reads a query that is no plain text. resources/manual/queries.md has the grammar.
QueryResult<QueryExpression> parseQuery(std::string_view text);

}  // namespace heapscape::engine
