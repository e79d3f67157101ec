// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// An object at which retained bytes come together: it retains them, and none of what it dominates has most of them.
struct AccumulationPoint {
  Address object;
  TypeId type;
  std::uint64_t retainedBytes = 0;
  std::uint64_t largestChildBytes = 0;  // that the largest of what it dominates immediately retains
  // From the root that dominates it, or from the thread or type whose roots do: the name of that, else "several roots",
  // and the names of types.
  std::vector<std::string> way;
};

/// The objects at which retained size drops most to the largest child: where bytes are, and not the objects of a chain
/// that leads there. Those that retain most first. The arrays and nodes of a collection stand for the collection. One
/// pass over the dominator tree. Needs the stage Retained.
Outcome<std::vector<AccumulationPoint>> accumulationPoints(const Snapshot& snapshot, std::size_t count,
                                                           std::stop_token stop);

}  // namespace heapscape::engine
