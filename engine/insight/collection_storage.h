// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "insight/insight_groups.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// The arrays and helper objects that a collection keeps its items in, as far as it alone refers to them; the items and
/// their nodes are not among them.
std::vector<std::uint32_t> storageOf(const InsightInput& input, const SurveyedCollection& collection);

/// "3 of 64 slots": how far a collection is filled.
std::string fillOf(const SurveyedCollection& collection);

/// Adds a collection with all of its storage, and itself unless a class of the program's derives from it, to the group
/// of its type. `less`: bytes that would be needed instead. False if nothing is left.
bool addWhole(const InsightInput& input, const SurveyedCollection& collection, std::uint64_t less,
              GroupsByType& groups);

}  // namespace heapscape::engine
