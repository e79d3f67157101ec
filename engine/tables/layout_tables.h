// SPDX-License-Identifier: MIT
#pragma once

#include "session/layouts/layout_comparison.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Types whose layouts are compared; each that both sides have with the fields that differ.
const TableOf<ComparedLayout>& comparedLayoutsTable();
const TableOf<FieldDifference>& fieldDifferencesTable();

}  // namespace heapscape::engine
