// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

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

/// Names of all kinds of roots.
std::vector<std::string> namesOfRootKinds();

/// Columns of a root.
template <class Row, class Of>
ColumnOf<Row> rootKindColumn(Of of) {
  return column<Row>({.name = "kind",
                      .title = "Kind",
                      .meaning = "What holds it.",
                      .kind = ColumnKind::Choice,
                      .choices = namesOfRootKinds(),
                      .isSearched = true},
                     of);
}

}  // namespace heapscape::engine
