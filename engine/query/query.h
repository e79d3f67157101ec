// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/schema.h"
#include "query/value_test.h"

namespace heapscape::engine {

/// A comparison of a field that there is with values that it can have.
struct QueryComparison {
  QueryFieldReference field;
  ValueTest test;
};

/// A part of a query. Of And without children everything fits.
struct QueryNode {
  enum class Kind : std::uint8_t { And, Or, Not, Comparison };
  Kind kind = Kind::And;
  std::vector<QueryNode> children = {};
  std::vector<QueryComparison> comparison = {};  // exactly one of a Comparison
};

/// A query that can be asked of things of one schema. Immutable.
struct Query {
  QueryNode root;
  bool isPlainText = false;  // part of a name, without operators
};

/// Makes a text into a query: plain text looks for that part in the schema's plain fields, an empty one accepts all.
QueryResult<Query> makeQuery(std::string_view text, const QuerySchema& schema);

/// The error BadQuery, for those who have no use for the place.
Error toError(const QueryError& error);

/// All fields that a query asks for, each once.
std::vector<QueryFieldReference> fieldsOf(const Query& query);

/// Whether something fits. `valueOf(const QueryFieldReference&)` gives its QueryValue.
template <class ValueOf>
bool matches(const QueryNode& node, const ValueOf& valueOf) {
  switch (node.kind) {
    case QueryNode::Kind::And:
      for (const QueryNode& child : node.children) {
        if (!matches(child, valueOf)) return false;
      }
      return true;
    case QueryNode::Kind::Or:
      for (const QueryNode& child : node.children) {
        if (matches(child, valueOf)) return true;
      }
      return false;
    case QueryNode::Kind::Not:
      return !matches(node.children.front(), valueOf);
    case QueryNode::Kind::Comparison:
      break;
  }
  const QueryComparison& comparison = node.comparison.front();
  return comparison.test.accepts(valueOf(comparison.field));
}

}  // namespace heapscape::engine
