// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/objects/strings_query.h"
#include "session/snapshot/snapshot.h"
#include "tables/table.h"

namespace heapscape::engine {

const TableOf<StringGroup>& stringsTable();

/// A module, and the file that its metadata was read from, if that is not the dump.
struct ListedModule {
  ModuleRow module;
  std::optional<std::string> metadataFile = {};
  std::optional<std::string> metadataProof = {};  // why it is the same
};
std::vector<ListedModule> listModules(const Snapshot& snapshot);
const TableOf<ListedModule>& modulesTable();

}  // namespace heapscape::engine
