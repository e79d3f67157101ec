// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "insight/collections/collection_survey.h"

namespace heapscape::engine {

inline constexpr std::size_t kMostLinkedParts = 4096;

/// The arrays and helper objects that a collection made for itself, whoever else refers to them; with those that it
/// made for its items (the nodes of a list or tree) if they are wanted. At most kMostLinkedParts.
std::vector<std::uint32_t> linkedParts(const InsightInput& input, const SurveyedType& type,
                                       const SurveyedCollection& collection, bool withNodes);

}  // namespace heapscape::engine
