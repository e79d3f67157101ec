// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"
#include "stacks/gc_info/frame_roots.h"

namespace heapscape::engine {

/// References that the runtime's own code, in C++, holds on a thread's stack (GCFrame, src/coreclr/vm/frames.h): what
/// GCPROTECT_BEGIN protects. What cannot be read ends the list and is its problem.
FrameRoots protectedReferences(const ClrRuntime& runtime, Address thread);

}  // namespace heapscape::engine
