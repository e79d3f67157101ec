// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "session/async/async_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {

/// What the target program says that it planted: "NAME.planted.jsonl" beside a dump.
std::vector<nlohmann::json> plantedIn(const std::string& dump);

/// All chains of a dump; throws the message if they cannot be listed.
engine::AsyncList chainsOf(const engine::Snapshot& snapshot, bool equalTogether = true);

/// Names of the methods of a chain, innermost first.
std::vector<std::string> methodsOf(const engine::AsyncList& list, const engine::AsyncChain& chain);

/// The chain that begins with such a method; null if there is none.
const engine::AsyncChain* findChain(const engine::AsyncList& list, std::string_view innermost);

/// Where a field of an object lies; throws if it has none of that name.
engine::Address fieldOf(const engine::Snapshot& snapshot, engine::Address object, std::string_view name);

}  // namespace heapscape::test
