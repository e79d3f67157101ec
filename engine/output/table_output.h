// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The member with the list's name: an object a row. What a row has not is left out of it, what is not known or not
/// told is null. With totals, if the list has some, in a member of that name.
void writeTable(JsonWriter& json, const Table& table, const RowSelection& selection);
/// Its rows alone, as the value of a member. `more` writes what a row's object has behind its columns.
using MoreMembers = std::function<void(JsonWriter& json, std::uint32_t row)>;
void writeRows(JsonWriter& json, const Table& table, const RowSelection& selection, const MoreMembers& more = {});
/// One row, as an object.
void writeRow(JsonWriter& json, const Table& table, const RowSelection& selection, std::uint32_t row,
              const MoreMembers& more = {});
/// A header line and a tab-separated line a row, of the columns that the list has in TSV.
void writeTableTsv(Output& output, const Table& table, const RowSelection& selection);
/// For people: the columns that are shown at first, but for those that say nothing of any row.
void writeTableText(Output& output, const Table& table, const RowSelection& selection);

/// The member "totals", and a line each for people.
void writeTotals(JsonWriter& json, const std::vector<TableTotal>& totals);
void writeTotals(Output& output, const std::vector<TableTotal>& totals);

}  // namespace heapscape::engine
