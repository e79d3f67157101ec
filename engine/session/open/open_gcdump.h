// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/result.h"
#include "gcdump/node_graph.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Makes a heap of the graph of a .gcdump file: objects in the order of their addresses, with ranges of addresses
/// around them in place of segments, the types that they are of, spelled as those of a dump, references, and as roots
/// what stands above the objects. `contents` has the file, and gets all that the stages up to Layouts have of a dump,
/// as far as the file tells it. Fails with UnsupportedRuntime for the heap of a 32-bit process, with NotEnoughMemory,
/// and with Damaged if there are too many objects.
Outcome<void> takeGcDump(Contents& contents, const GcDump& dump, const std::stop_token& stop);

}  // namespace heapscape::engine
