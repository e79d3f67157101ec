// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "session/references/what_if.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Assumed removals, and what each would free by itself.
const TableOf<CutShare>& cutsTable();

/// Objects of a type that would be freed, with the type in words.
struct ListedFreedType {
  FreedType row;
  std::string type;
  Address methodTable;
};
std::vector<ListedFreedType> listFreedTypes(const Snapshot& snapshot, const std::vector<FreedType>& types);
const TableOf<ListedFreedType>& freedTypesTable();

}  // namespace heapscape::engine
