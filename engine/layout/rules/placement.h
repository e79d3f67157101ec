// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {

/// Runs of object references, [offset, bytes] from the start of the fields, as the series of a GCDesc.
using ReferenceRuns = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The base's runs, one of all own references, and those of each value type, in every element of an inline array
/// (MethodTableBuilder::HandleGCForValueClasses and its neighbours), by offset.
ReferenceRuns autoReferenceRuns(const PlacementInput& input, const FieldPlacement& placement);

/// Runs of references at explicit offsets: neighbouring references are one run, whatever fields they are of
/// (FindPointerSeriesExplicit).
ReferenceRuns explicitReferenceRuns(const PlacementInput& input, const FieldPlacement& placement);

/// LayoutKind.Auto, and what the runtime makes of sequential types with references: references, then other fields from
/// large to small, then value types (MethodTableBuilder::HandleAutoLayout). Fails with BadQuery if the fields take more
/// than the runtime can address.
Result<FieldPlacement> placeAuto(const PlacementInput& input);

/// LayoutKind.Sequential for a type that gets it: fields as declared, each at its alignment or Pack
/// (EEClassLayoutInfo::InitializeSequentialFieldLayout). Fails with BadQuery where the runtime refuses the type.
Result<FieldPlacement> placeSequential(const PlacementInput& input);

/// LayoutKind.Explicit: fields at their FieldOffset, which a base is counted into twice
/// (EEClassLayoutInfo::InitializeExplicitFieldLayout, MethodTableBuilder::ValidateExplicitLayout). Fails with BadQuery
/// where the runtime refuses the type, as for references that other fields overlap.
Result<FieldPlacement> placeExplicit(const PlacementInput& input);

}  // namespace heapscape::engine
