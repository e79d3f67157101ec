// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/diagnostics/stress_log.h"

namespace heapscape::engine {

/// What the stress log tells of one collection.
struct GcRecord {
  /// A root by whose object the GC came while it marked.
  struct Promotion {
    Address root;
    Address object;
    Address methodTable;
  };
  /// A root that the GC has given the new address of its object.
  struct Relocation {
    Address root;
    Address before;
    Address after;
    Address methodTable;
  };

  std::uint64_t index = 0;  // of the collection
  std::vector<Promotion> promotions = {};
  std::vector<Relocation> relocations = {};
};

/// Collections that the log has from their beginning on, newest first, what happened last in each first.
std::vector<GcRecord> gcHistoryOf(const ClrRuntime& runtime, const StressLog& log);

}  // namespace heapscape::engine
