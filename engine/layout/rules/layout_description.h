// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/result.h"
#include "layout/rules/layout_rules.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

/// The computed layout of a type in the form that the runtime's own one is given in. Fails as
/// LayoutRules::placementOf does.
Result<TypeLayout> describeLayout(LayoutRules& rules, ClosedTypeId type);

/// Whether the C# compiler made the type for a fixed buffer, which declares its first element alone.
bool isFixedBuffer(std::string_view typeName);

}  // namespace heapscape::engine
