// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// What all reachable instances of a type keep alive together.
struct RetainedOfType {
  std::uint64_t instances = 0;      // reachable ones
  std::uint64_t bytes = 0;          // of the instances themselves
  std::uint64_t retainedBytes = 0;  // an instance that another one of the type dominates is in that one's share
};

}  // namespace heapscape::engine
