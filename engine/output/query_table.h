// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "lists/row_question.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "query/schema.h"

namespace heapscape::engine {

/// Member "query", an object a row, and "totals".
void writeQuery(JsonWriter& json, const QueryTable& table);
void writeQueryTsv(Output& output, const QueryTable& table);
void writeQueryText(Output& output, const QueryTable& table);

/// The query with a line below that marks the wrong place, for a fixed-width font; ends with a line break.
std::string markedQuery(std::string_view query, const QueryError& error);
/// The error with these lines behind its sentences.
Error withMark(Error error, std::string_view query, const QueryError& place);

}  // namespace heapscape::engine
