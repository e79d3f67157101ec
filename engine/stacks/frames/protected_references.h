// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/clr_runtime.h"
#include "stacks/gc_info/frame_roots.h"

namespace heapscape::engine {

/// References that the runtime's own code, in C++, holds on a thread's stack (GCFrame, src/coreclr/vm/frames.h): what
/// GCPROTECT_BEGIN protects. What cannot be read ends the list and is its problem. `own`: the thread's own stack.
FrameRoots protectedReferences(const ClrRuntime& runtime, Address thread, AddressRange own = {});

/// One of these lists: references next to each other, as the C++ code declares them.
struct ProtectedGroup {
  Address frame;  // of the GCFrame, on the thread's stack
  Address next;
  Address owner;       // the thread
  Address references;  // the first of them
  std::uint32_t count = 0;
  std::uint32_t mayBeInterior = 0;
};
/// Innermost first, as far as they can be read.
std::vector<ProtectedGroup> protectedGroups(const ClrRuntime& runtime, Address thread, AddressRange own = {});

}  // namespace heapscape::engine
