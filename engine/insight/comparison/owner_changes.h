// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "insight/comparison/comparison.h"
#include "insight/insight.h"
#include "session/snapshot/root_list.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Who holds objects of the heap, in both dumps; see OwnerFigures.
struct OwnerChange {
  InsightOwner::Kind kind = InsightOwner::Kind::Other;
  std::string name;
  Change objects, bytes;
};

/// Roots of one name in both dumps; see RootFigures.
struct RootChange {
  RootKind kind = RootKind::StrongHandle;
  std::string name;
  Change roots, bytes;
};

struct HolderChanges {
  std::vector<OwnerChange> owners;  // what grew most first, by bytes; then by name
  std::vector<RootChange> roots;    // the same
};

/// Matched by kind and name, as in a trend. Both need the stage Retained.
Outcome<HolderChanges> compareHolders(const Snapshot& before, const Snapshot& after, std::stop_token stop);

const TableOf<OwnerChange>& ownerChangesTable();
const TableOf<RootChange>& rootChangesTable();

}  // namespace heapscape::engine
