// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "graph/object_references.h"
#include "heap/object_walk.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// Everything that the edges between objects are read from.
struct ReferenceSources {
  const AddressSpace& memory;
  const std::vector<Segment>& segments;
  const WalkedHeap& heap;
  const TypeReferences& types;
  const DependentEdges& dependents;
};

struct ReachableTotals {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};

/// Counts what can be reached from some objects, themselves included, each once: one bit an object and a stack, no
/// recursion. Addresses that are no objects are passed over. Returns nullopt if it was stopped.
std::optional<ReachableTotals> countReachable(const ReferenceSources& sources, const std::vector<Address>& from,
                                              std::stop_token stop);

}  // namespace heapscape::engine
