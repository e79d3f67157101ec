// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"
#include "runtime/gc/handle_kind.h"

namespace heapscape::engine {

/// One slot of the GC's handle tables.
struct GcHandle {
  Address address;
  HandleKind kind = HandleKind::Strong;
  std::uint32_t heap = 0;  // whose table it is in
  Address object;          // 0 for a slot that holds nothing
  Address dependent;       // Dependent: the secondary object
  /// RefCounted: references to the object from outside of the runtime, as COM counts them; nullopt if not known.
  std::optional<std::uint32_t> referenceCount = {};
  bool isHolding = true;  // RefCounted: false if a collection would let go of the object
};

/// All handles in the order of the tables; empty slots only with `includeNull`. Damage ends a table, not the rest.
std::vector<GcHandle> readHandles(const ClrRuntime& runtime, bool includeNull, FindingList& findings);
/// The memory of the tables' segments; only its first part may be committed.
std::vector<AddressRange> readHandleSegments(const ClrRuntime& runtime, FindingList& findings);

/// Where a dependent handle keeps its secondary object, which lives as long as the object that the handle refers to: in
/// the block of the same segment that the handle's own block names (src/coreclr/gc/handletablecore.cpp,
/// HandleQuickFetchUserDataPointer). Fails with NotInDump, or Damaged if there is no such handle.
Result<Address> secondaryOfDependentHandle(const ClrRuntime& runtime, Address handle);

}  // namespace heapscape::engine
