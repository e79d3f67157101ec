// SPDX-License-Identifier: MIT
#pragma once

#include "session/layouts/waste_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Types by what their layouts cost.
const TableOf<WasteRow>& wasteTable();
/// Namespaces or assemblies by the same.
const TableOf<WasteGroup>& wasteGroupsTable();

}  // namespace heapscape::engine
