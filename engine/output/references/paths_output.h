// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/references/paths_query.h"

namespace heapscape::engine {

/// The ways that keep one object alive, as the command line was asked for them.
struct PathsAnswer {
  Address object;
  RootPathList paths;
  double seconds = 0;      // that finding and naming them took
  bool isWithout = false;  // they are what would be left with cuts
};

/// Writes the members `object`, `reachable`, `exhausted`, with cuts `freed`, and `paths`. Redaction leaves out keys and
/// names of threads.
void writePaths(JsonWriter& json, const Snapshot& snapshot, const PathsAnswer& answer, const RowSelection& selection);
/// Writes the answers about several objects, each with `seconds`, as the member `objects`.
void writePathsOfAll(JsonWriter& json, const Snapshot& snapshot, const std::vector<PathsAnswer>& answers,
                     const RowSelection& selection);
/// Writes `path`: null if there is none.
void writePathBetween(JsonWriter& json, const Snapshot& snapshot, const ObjectPath& path,
                      const RowSelection& selection);
/// Writes `merged`.
void writeMergedPaths(JsonWriter& json, const Snapshot& snapshot, TypeId type, const MergedPaths& merged,
                      const RowSelection& selection);

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
