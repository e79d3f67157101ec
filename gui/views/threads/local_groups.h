// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "query/objects/object_search.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::gui {

/// Locals of a stack whose objects hold the same in a field, whichever frames they are of.
struct LocalGroup {
  struct Local {
    std::size_t root = 0;     // index in the stack's roots
    std::uint64_t bytes = 0;  // that its object takes up; several locals may lead to one
  };

  QString name;
  std::vector<Local> locals;  // innermost first
  bool isOfType = false;      // the name is that of a type
};

/// Those with the most locals first; what leads to no object stands in a group of its own. On the engine thread.
engine::Outcome<std::vector<LocalGroup>> groupLocals(const engine::Snapshot& snapshot,
                                                     const engine::ThreadStackRow& stack,
                                                     const engine::QueryFieldReference& field, std::stop_token stop);

}  // namespace heapscape::gui
