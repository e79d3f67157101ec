// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/row_selection.h"
#include "session/threads/parallel_stacks.h"
#include "session/threads/stacks_query.h"

namespace heapscape::engine {

/// Writes the member "threads": stacks, innermost frame first, each with its roots.
void writeStacks(JsonWriter& json, const StackList& list, const RowSelection& selection);
/// Writes the member "parallel": frames with their parents by index, and "activities".
void writeParallelStacks(JsonWriter& json, const StackList& list, const ParallelStacks& stacks,
                         const std::vector<ActivityGroup>& activities);

}  // namespace heapscape::engine
