// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The secondary objects that dependent handles keep alive as long as their keys: by address of the key.
using DependentEdges = std::unordered_multimap<Address, Address>;

DependentEdges readDependentEdges(const ClrRuntime& runtime, FindingList& findings);

}  // namespace heapscape::engine
