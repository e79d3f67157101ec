// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "insight/detectors/detector.h"
#include "insight/detectors/inexact_holding.h"
#include "insight/insight.h"

namespace heapscape::engine {

/// Ranks what can be won back, and adds it up without counting a byte twice. `found` has the claims of `list.insights`,
/// in their order. All but `heapBytes`.
ActionPlan planActions(const InsightList& list, std::span<const FoundInsight> found, const Contents& contents,
                       const InexactHolding& inexact);

}  // namespace heapscape::engine
