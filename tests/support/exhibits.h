// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "values/value.h"

namespace heapscape::test {

/// The dumps of the program that tells what it holds, one for each runtime.
std::vector<std::string> exhibitDumps();

/// What the program said (tests/targets/README.md has the schema).
nlohmann::json printedBy(const std::string& dump);

/// The objects that the program has put on show, by path: "Museum.Collections.list". Those that are null are left out.
std::map<std::string, engine::Address> exhibitsOf(const engine::Snapshot& snapshot);

/// The objects that hold them, by the same paths.
std::map<std::string, engine::Address> exhibitHoldersOf(const engine::Snapshot& snapshot);

/// How a value differs from what the program said of it, or empty. `fields` are those of a structure.
std::string difference(const nlohmann::json& printed, const engine::Snapshot& snapshot, const engine::Value& value,
                       const std::vector<engine::FieldValue>& fields);

}  // namespace heapscape::test
