// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

/// Which runtime it was, how its heap was set up, and which kind of file this is.
std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot);

/// How much of the process's memory was in memory: the bounds that the dump gives, never what is mapped alone.
Fact memoryFact(const engine::ProcessMemory& memory);

}  // namespace heapscape::gui
