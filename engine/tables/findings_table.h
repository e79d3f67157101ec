// SPDX-License-Identifier: MIT
#pragma once

#include "base/finding.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What is wrong with a dump.
const TableOf<Finding>& findingsTable();

}  // namespace heapscape::engine
