// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"

namespace heapscape::engine {

/// What two dumps cannot be compared by, although each of them can be read: names that only one of them has. Types of
/// such a module are new or gone, whatever became of them.
FindingList findComparisonGaps(const Snapshot& before, const Snapshot& after);

}  // namespace heapscape::engine
