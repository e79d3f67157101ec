// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/layouts/declared_layouts.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A class or struct by the three ways that it can be declared. Bytes are those of an object of a class and of a value
/// without a box, 0 where it cannot be laid out so.
struct TypeByRules {
  LayoutTypeId id;      // of an assembly
  Address methodTable;  // of a dump
  std::uint32_t sequentialBytes = 0;
  std::uint32_t autoBytes = 0;
  std::uint32_t bestBytes = 0;
  bool differs = false;         // not all of them come to the same bytes
  std::int64_t savedBytes = 0;  // what its best declaration alone saves the heap, see WasteRow; of an assembly a unit
};

/// Types that have anything to tell, in no order of use.
struct LayoutsByRules {
  std::vector<TypeByRules> types;
};

/// Of all types that the dump has loaded, laid out on all cores; from the Layouts stage on. Made once for a dump.
Outcome<std::shared_ptr<const LayoutsByRules>> layoutsByRules(const Snapshot& snapshot, ProgressSink* progress,
                                                              std::stop_token stop);
/// Of all types of an assembly, one after the other: between them others are answered, too.
Outcome<std::shared_ptr<const LayoutsByRules>> layoutsByRules(const DeclaredLayouts& layouts, ProgressSink* progress,
                                                              std::stop_token stop);

}  // namespace heapscape::engine
