// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "session/door/snapshot.h"
#include "tables/table.h"

namespace heapscape::test {

struct DescribedTable {
  std::string name;
  engine::Table table;
};

/// Every list that the engine describes, with its rows: those of the dump as a whole, then those that belong to
/// something else, and behind each what its rows have of their own.
std::vector<DescribedTable> describedTables(const engine::Snapshot& snapshot);

}  // namespace heapscape::test
