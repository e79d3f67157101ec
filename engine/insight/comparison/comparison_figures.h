// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"

namespace heapscape::engine {

/// Figures of the heap, segments, handles, threads, modules and the process, in that order; each that either side has.
Outcome<std::vector<FigureChange>> compareFigures(const Snapshot& before, const Snapshot& after, FindingList& findings,
                                                  std::stop_token stop);

}  // namespace heapscape::engine
