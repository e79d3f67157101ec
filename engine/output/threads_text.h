// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {

/// The same as in threads_json.h, for people.
void writeThreadsText(Output& output, const ThreadList& list, const RowSelection& selection);
void writeLocksText(Output& output, const LockList& list, const RowSelection& selection);

}  // namespace heapscape::engine
