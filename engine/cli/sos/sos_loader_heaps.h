// SPDX-License-Identifier: MIT
#pragma once

#include "cli/sos/sos_command.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

/// Prints the heaps that the runtime keeps types, methods and code in, as eeheap -loader does.
void printLoaderHeaps(SosRun& run, const engine::Snapshot& snapshot);

}  // namespace heapscape::cli
