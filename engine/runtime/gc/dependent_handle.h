// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Where a dependent handle keeps its secondary object, which lives as long as the object that the handle refers to: in
/// the block of the same segment that the handle's own block names (src/coreclr/gc/handletablecore.cpp,
/// HandleQuickFetchUserDataPointer). Fails with NotInDump, or Damaged if there is no such handle.
Result<Address> secondaryOfDependentHandle(const ClrRuntime& runtime, Address handle);

}  // namespace heapscape::engine
