// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Why a better declaration may not be wanted or possible: the type belongs to the framework or to the compiler, what
/// it declares may be meant (native code, false sharing), offsets by hand, other type arguments. Empty if nothing
/// speaks against it. Fails as LayoutRules::placementOf does.
Result<std::string> cautionAgainst(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change);

/// Whether the C# compiler made the type: closures, iterators, async methods, anonymous types.
bool isMadeByCompiler(std::string_view typeName);

}  // namespace heapscape::engine
