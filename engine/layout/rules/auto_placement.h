// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {

/// LayoutKind.Auto, and what the runtime makes of sequential types with references: references, then other fields from
/// large to small, then value types (MethodTableBuilder::HandleAutoLayout). Fails with BadQuery if the fields take more
/// than the runtime can address.
Result<FieldPlacement> placeAuto(const PlacementInput& input);

}  // namespace heapscape::engine
