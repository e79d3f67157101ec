// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "models/rows/row_list.h"
#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "tables/path_tables.h"

namespace heapscape::gui {

/// A way from a root to the object, as a line of a list.
struct PathRow {
  engine::RootPath path;
  engine::RootRow root;
  engine::Retained alone;                    // what the root holds and no other one does
  std::vector<engine::RootRow> others = {};  // that lead to the same object: the first of them
};

/// A step of a way, or the gap where steps are left out.
struct StepRow {
  engine::ListedStep listed;  // empty in the gap
  std::uint64_t leftOut = 0;  // steps that the gap stands for; 0 for a step
};

RowSchema<PathRow> pathSchema();
RowSchema<StepRow> stepSchema();

/// Rows of an answer for the lists; on the engine thread.
std::vector<PathRow> pathRows(const engine::Snapshot& snapshot, const engine::RootPathList& list);
std::vector<StepRow> stepRows(const engine::Snapshot& snapshot, const engine::RootPath& path);

}  // namespace heapscape::gui
