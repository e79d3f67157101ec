// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"

namespace heapscape::engine {

/// Insights of both, what grew most first. Neither list needs any order.
std::vector<InsightChange> compareInsights(const InsightList& before, const InsightList& after);

}  // namespace heapscape::engine
