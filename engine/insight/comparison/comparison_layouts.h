// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"

namespace heapscape::engine {

/// Types with objects in both dumps that the two runtimes laid out differently, by what that makes on all objects of
/// the later one.
Outcome<std::vector<LayoutChange>> compareTypeLayouts(const Snapshot& before, const Snapshot& after,
                                                      const std::vector<TypeChange>& types, StageProgress& progress,
                                                      std::stop_token stop);

}  // namespace heapscape::engine
