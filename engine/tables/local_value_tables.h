// SPDX-License-Identifier: MIT
#pragma once

#include "session/threads/local_values.h"
#include "tables/table.h"

namespace heapscape::engine {

const TableOf<LocalValueRow>& localsTable();

}  // namespace heapscape::engine
