// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/references/paths_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// An object on a way, with its type in words.
struct ListedStep {
  std::uint64_t number = 0;  // from 1, steps that are left out counted
  PathStep step;
  std::string type = {};     // empty if it is not known
  Address methodTable = {};  // of the type; 0 if it is not known
};
std::vector<ListedStep> listSteps(const Snapshot& snapshot, const RootPath& path);
std::vector<ListedStep> listSteps(const Snapshot& snapshot, const ObjectPath& path);
const TableOf<ListedStep>& stepsTable();

}  // namespace heapscape::engine
