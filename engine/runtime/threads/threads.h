// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The piece of the heap that one thread allocates from without asking: [pointer, limit) is not written yet.
struct AllocationContext {
  Address pointer;
  Address limit;
};

/// A thread that the runtime knows.
struct RuntimeThread {
  Address address;
  std::uint32_t managedId = 0;
  std::uint32_t osId = 0;
  std::uint32_t state = 0;
  AllocationContext allocationContext;
};

/// All threads of the runtime's thread store, in its order; a damaged list is read as far as it goes.
std::vector<RuntimeThread> readThreads(const ClrRuntime& runtime, FindingList& findings);

}  // namespace heapscape::engine
