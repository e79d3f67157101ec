// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "models/rows/row_list.h"
#include "query/query_value.h"
#include "query/schema.h"

namespace heapscape::gui {

/// What can be asked of a list: what the engine's description has, in its order; without one the columns by their
/// titles
/// ("Managed id" as managedId), and behind them "kind", if there are kinds and no column has that name.
engine::QuerySchema querySchemaOf(const engine::TableDescription* table, const std::vector<ColumnSetup>& columns,
                                  const std::vector<RowKind>& kinds, const QString& noun);

/// What a field of that schema holds of a row; of what rows' objects hold, what was read.
engine::QueryValue queryValueOf(const RowList& list, std::uint32_t row, const engine::QueryFieldReference& field);

}  // namespace heapscape::gui
