// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "output/output.h"
#include "output/references/paths_json.h"
#include "output/row_selection.h"
#include "session/references/paths_query.h"

namespace heapscape::engine {

/// Each path as an expression and, step by step, as a chain from the root down.
void writePathsText(Output& output, const Snapshot& snapshot, const PathsAnswer& answer, const RowSelection& selection);
/// A line for each object: what its first path took, how many there are, and the shortest one.
void writePathsOfAllText(Output& output, const Snapshot& snapshot, const std::vector<PathsAnswer>& answers,
                         const RowSelection& selection);
void writePathBetweenText(Output& output, const Snapshot& snapshot, const ObjectPath& path,
                          const RowSelection& selection);
/// The tree of holders, those of most objects first.
void writeMergedPathsText(Output& output, const Snapshot& snapshot, TypeId type, const MergedPaths& merged,
                          const RowSelection& selection);

}  // namespace heapscape::engine
