// SPDX-License-Identifier: MIT
#pragma once

#include "session/layouts/waste_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The fields of the best declaration, as C# spells them.
Cell::Words bestOrderOf(const WasteRow& row);
/// Types by what their layouts cost.
const TableOf<WasteRow>& wasteTable();
/// Namespaces or assemblies by the same.
const TableOf<WasteGroup>& wasteGroupsTable();

}  // namespace heapscape::engine
