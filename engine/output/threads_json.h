// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/row_selection.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {

/// Each writes the member of that name, locks their cycles too.
void writeThreads(JsonWriter& json, const ThreadList& list, const RowSelection& selection);
void writeLocks(JsonWriter& json, const LockList& list, const RowSelection& selection);

}  // namespace heapscape::engine
