// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tables/table.h"

namespace heapscape::test {

struct DescribedTable {
  std::string name;
  engine::Table table;
};

/// Every list that the engine describes, with its rows: those of the dump as a whole, then those that belong to
/// something else, and behind each what its rows have of their own. Read once for each dump.
const std::vector<DescribedTable>& describedTables(const std::string& dump);

}  // namespace heapscape::test
