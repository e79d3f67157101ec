// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "layout/rules/layout_rules.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

/// The computed layout of a type in the form that the runtime's own one is given in. Fails as
/// LayoutRules::placementOf does.
Result<TypeLayout> describeLayout(LayoutRules& rules, ClosedTypeId type);

}  // namespace heapscape::engine
