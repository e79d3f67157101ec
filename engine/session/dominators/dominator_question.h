// SPDX-License-Identifier: MIT
#pragma once

#include "session/dominators/dominator_nodes.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Calls `use(DominatorNodes&)` with the tree of a snapshot in one grouping. Fails with NotFound before the stage
/// Retained.
template <class Use>
auto withDominatorNodes(const Snapshot& snapshot, DominatorGrouping grouping, std::stop_token stop, const Use& use)
    -> decltype(use(std::declval<DominatorNodes&>())) {
  if (!snapshot.has(Stage::Retained)) {
    return tl::unexpected(Unfinished(Error{ErrorCode::NotFound, "It is not known yet who holds what."}));
  }
  const Contents& contents = snapshot.contents();
  return contents.retention->browsing->with(contents, grouping, stop, use);
}

}  // namespace heapscape::engine
