// SPDX-License-Identifier: MIT
#pragma once

#include "session/roots/finalizers_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/held_roots.h"
#include "session/roots/statics_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What holds objects from outside of the heap, and the lists that it comes from.
const TableOf<HeldRoot>& rootsTable();
const TableOf<HandleRow>& handlesTable();
const TableOf<FinalizerRow>& finalizersTable();
const TableOf<StaticRow>& staticsTable();

}  // namespace heapscape::engine
