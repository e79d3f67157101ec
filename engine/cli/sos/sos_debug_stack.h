// SPDX-License-Identifier: MIT
#pragma once

#include "cli/sos/sos_command.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

/// What clrstack -i is asked for.
struct DebugStackOptions {
  bool parameters = false, locals = false;
  std::uint64_t frames = 0;  // at most so many; 0 for all
};

/// Prints the current thread's stack as clrstack -i does: as a debugger sees it, with the values of variables.
engine::Outcome<void> printDebugStack(SosRun& run, const engine::Snapshot& snapshot, const DebugStackOptions& options);

}  // namespace heapscape::cli
