// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "layout/rules/placed_field.h"

namespace heapscape::engine {

/// Runs of object references, [offset, bytes] from the start of the fields, as the series of a GCDesc.
using ReferenceRuns = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The base's runs, one of all own references, and those of each value type, in every element of an inline array
/// (MethodTableBuilder::HandleGCForValueClasses and its neighbours), by offset.
ReferenceRuns autoReferenceRuns(const PlacementInput& input, const FieldPlacement& placement);

/// The same for explicit offsets: neighbouring references are one run, whatever fields they are of
/// (FindPointerSeriesExplicit).
ReferenceRuns explicitReferenceRuns(const PlacementInput& input, const FieldPlacement& placement);

}  // namespace heapscape::engine
