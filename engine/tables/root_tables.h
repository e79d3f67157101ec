// SPDX-License-Identifier: MIT
#pragma once

#include "session/roots/handles_query.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Roots, and the lists that they come from.
const TableOf<HeldRoot>& rootsTable();
const TableOf<HandleRow>& handlesTable();
const TableOf<FinalizerRow>& finalizersTable();
const TableOf<StaticRow>& staticsTable();

/// Columns of a root.
template <class Row, class Of>
ColumnOf<Row> rootKindColumn(Of of) {
  return choiceColumn<Row>("kind", "Kind", "What holds it.", of).searched();
}

}  // namespace heapscape::engine
