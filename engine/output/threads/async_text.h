// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/async/async_query.h"
#include "session/roots/timers_query.h"
#include "session/threads/thread_pool_query.h"

namespace heapscape::engine {

/// Chains with their methods below each other. `each`: every chain is a group of its own, with addresses and the locals
/// that live across awaits.
void writeAsyncText(Output& output, const Snapshot& snapshot, const AsyncList& list, bool each,
                    const RowSelection& selection);
void writeThreadPoolText(Output& output, const ThreadPoolState& pool, const RowSelection& selection);
/// Timers that call the same are one row.
void writeTimersText(Output& output, const TimerList& list, const RowSelection& selection);

}  // namespace heapscape::engine
