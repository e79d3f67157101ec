// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A dump's modules by name, and those whose types have no names in it.
struct NamedModules {
  std::set<std::string> all;
  std::set<std::string> unnamed;
};
NamedModules namedModulesOf(const Snapshot& snapshot);

/// Modules whose types have names in the other dump, but not in this one: these types cannot be matched.
std::set<std::string> modulesNamedElsewhere(const NamedModules& here, const NamedModules& other);

}  // namespace heapscape::engine
