// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "query/expression.h"
#include "query/lexer.h"
#include "query/query_error.h"
#include "query/schema.h"

namespace heapscape::engine {

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
