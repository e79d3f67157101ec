// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "base/result.h"
#include "insight/comparison/comparison.h"
#include "insight/insight.h"

namespace heapscape::engine {

/// Tells of suspects that only one of two dumps names what they retain in the other one. There they may be below the
/// threshold, or below something larger that is named in their place: neither means that they are gone. A static is
/// looked for by its name, the largest object of a type by its type. Both need the stage Retained.
Outcome<void> followSuspects(std::vector<InsightChange>& changes, const InsightList& listBefore,
                             const InsightList& listAfter, const Snapshot& before, const Snapshot& after,
                             const std::stop_token& stop);

}  // namespace heapscape::engine
