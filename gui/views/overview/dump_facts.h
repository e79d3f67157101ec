// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/snapshot.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

/// Which runtime it was, how its heap was set up, and which kind of file this is.
std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
