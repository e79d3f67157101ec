// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "session/snapshot/snapshot.h"

namespace heapscape::bench {

/// The dump that the benchmarks run on.
std::string dumpPath();

/// That dump, opened once through all stages; ends the program with a message if it cannot be.
const engine::Snapshot& openedDump();

/// The dump with retained sizes, computed once; null if that failed.
const engine::Snapshot* retainedDump();

}  // namespace heapscape::bench
