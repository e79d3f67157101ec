// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A ConditionalWeakTable: its entries are dependent handles, so keys and values lie in the GC's handle table.
Result<std::unique_ptr<Collection>> makeWeakTable(const Instance& table);

}  // namespace heapscape::engine
