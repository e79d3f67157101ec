// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "insight/insight.h"

namespace heapscape::test {

/// What is found in a dump of the program that plants flaws; of these kinds, or of all. Kept for the next test.
const engine::InsightList& insightsOf(const std::string& dump);

/// Of a snapshot, whatever the size; fails the test if they cannot be looked for.
engine::InsightList lookFor(const engine::Snapshot& snapshot, std::vector<engine::InsightKind> kinds);

/// Null if there is none of this kind and subject.
const engine::Insight* findInsight(const engine::InsightList& list, engine::InsightKind kind,
                                   const std::string& subject);

/// The value of a fact; empty if there is none of that label.
std::string factOf(const engine::Insight& insight, const std::string& label);

}  // namespace heapscape::test
