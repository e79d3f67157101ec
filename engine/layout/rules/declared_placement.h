// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {

/// LayoutKind.Sequential for a type that gets it: fields as declared, each at its alignment or Pack
/// (EEClassLayoutInfo::InitializeSequentialFieldLayout). Fails with BadQuery where the runtime refuses the type.
Result<FieldPlacement> placeSequential(const PlacementInput& input);

/// LayoutKind.Explicit: fields at their FieldOffset, which a base is counted into twice
/// (EEClassLayoutInfo::InitializeExplicitFieldLayout, MethodTableBuilder::ValidateExplicitLayout). Fails with BadQuery
/// where the runtime refuses the type, as for references that other fields overlap.
Result<FieldPlacement> placeExplicit(const PlacementInput& input);

}  // namespace heapscape::engine
