// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "insight/insight_groups.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// Of the linked parts of a collection what nothing but the collection and its other parts refers to, without nodes;
/// the items are not among them.
std::vector<std::uint32_t> storageOf(const InsightInput& input, const SurveyedCollection& collection);

/// "3 of 64 slots": how far a collection is filled.
std::string fillOf(const SurveyedCollection& collection);

/// Adds a collection with all of its storage and nodes, and itself unless a class of the program's derives from it, to
/// the group of its type. `less`: bytes that would be needed instead. False if nothing is left.
bool addWhole(const InsightInput& input, const SurveyedCollection& collection, std::uint64_t less,
              GroupsByType& groups);

/// Looks at all collections on all cores and lets look() add what it likes to groups; these are in the collections'
/// order. Not whole if it was stopped.
using LookAtCollection =
    std::function<void(const InsightInput& input, const SurveyedCollection& collection, GroupsByType& groups)>;
GroupsByType groupCollections(const InsightInput& input, const LookAtCollection& look, const std::stop_token& stop);

}  // namespace heapscape::engine
