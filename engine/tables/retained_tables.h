// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/objects/retained_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// An object and what would be freed with it, with its type in words.
struct ListedRetained {
  RetainedRow row;
  std::string type;
};
std::vector<ListedRetained> listRetained(const Snapshot& snapshot, const RetainedList& list);
const TableOf<ListedRetained>& retainedTable();

/// A type and what would be freed with all its reachable objects.
struct ListedRetainedType {
  RetainedTypeRow row;
  std::string type;
  Address methodTable;
};
std::vector<ListedRetainedType> listRetainedTypes(const Snapshot& snapshot, const RetainedList& list);
const TableOf<ListedRetainedType>& retainedTypesTable();

}  // namespace heapscape::engine
