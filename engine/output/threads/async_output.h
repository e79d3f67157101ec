// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/async/async_query.h"
#include "session/async/thread_pool_query.h"

namespace heapscape::engine {

/// The member `chains`: a row for each group of the list. `withLocals`: frames have the locals that live across awaits.
void writeAsyncChains(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, bool withLocals,
                      const RowSelection& selection);
/// The member `queues`, with `pool`: how many threads it has.
void writeThreadPool(JsonWriter& json, const ThreadPoolState& pool, const RowSelection& selection);
/// The member `timers`.
void writeTimers(JsonWriter& json, const TimerList& list, const RowSelection& selection);

/// Chains with their methods below each other. `each`: every chain is a group of its own, with addresses and the locals
/// that live across awaits.
void writeAsyncText(Output& output, const Snapshot& snapshot, const AsyncList& list, bool each,
                    const RowSelection& selection);
void writeThreadPoolText(Output& output, const ThreadPoolState& pool, const RowSelection& selection);
/// Timers that call the same are one row.
void writeTimersText(Output& output, const TimerList& list, const RowSelection& selection);

}  // namespace heapscape::engine
