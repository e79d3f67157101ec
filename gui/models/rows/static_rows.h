// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/snapshot.h"
#include "tables/heap_tables.h"

namespace heapscape::gui {

RowSchema<engine::ListedModule> moduleSchema();

/// A column of staticSchema(false).
inline constexpr int kStaticKindColumn = 2;

/// Static fields: of all types, or, without the columns that would say the same in every row, of one.
RowSchema<engine::StaticRow> staticSchema(bool isOfOneType = false);

}  // namespace heapscape::gui
