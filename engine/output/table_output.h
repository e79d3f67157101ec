// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Writes one line of tab-separated cells, each made printable.
void writeTsvLine(Output& output, const std::vector<std::string>& cells);

/// The member with the list's name: an object a row. What a row has not is left out of it, what is not known or not
/// told is null. With totals, if the list has some, in a member of that name.
void writeTable(JsonWriter& json, const Table& table, const RowSelection& selection);
/// Its rows alone, as the value of a member. `more` writes what a row's object has behind its columns.
using MoreMembers = std::function<void(JsonWriter& json, std::uint32_t row)>;
void writeRows(JsonWriter& json, const Table& table, const RowSelection& selection, const MoreMembers& more = {});
/// One row, as an object.
void writeRow(JsonWriter& json, const Table& table, const RowSelection& selection, std::uint32_t row,
              const MoreMembers& more = {});
/// Returns the table with at most `limit` rows in the lists that rows have of their own.
Table limitInner(Table table, std::size_t limit);
/// A header line and a tab-separated line a row, of the columns that the list has in TSV.
void writeTableTsv(Output& output, const Table& table, const RowSelection& selection);
/// For people: the columns that are shown at first, but for those that say nothing of any row.
void writeTableText(Output& output, const Table& table, const RowSelection& selection);

/// A cell as people read it: "1.43 MB", "12,345", "yes"; empty for an address of nothing and for what is not there.
std::string readableCell(const ListColumn& column, const Cell& cell);

/// The member "totals", and a line each for people.
void writeTotals(JsonWriter& json, const std::vector<TableTotal>& totals);
void writeTotals(Output& output, const std::vector<TableTotal>& totals);

}  // namespace heapscape::engine
