// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "output/row_selection.h"
#include "review/board.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The rows of a list as a table of a page: the columns of these names, titled and written as the list's description
/// says.
ReviewTable describedRows(const Table& table, const std::vector<std::string_view>& columns,
                          const RowSelection& selection);

}  // namespace heapscape::engine
