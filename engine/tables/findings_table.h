// SPDX-License-Identifier: MIT
#pragma once

#include "base/finding.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Findings on a dump.
const TableOf<Finding>& findingsTable();

}  // namespace heapscape::engine
