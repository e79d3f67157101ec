// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/advice/layout_advice.h"
#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Advice that does more than another order: an attribute, bools merged, cold fields split off (`use` may be empty:
/// without a heap it is told only that the object spans several cache lines), Pack=1 and what it costs. The most saving
/// first, but Pack last. `unit` is what sentences count the bytes of: Element where a value type is looked at as what
/// an array holds; otherwise it follows from the type. Fails as LayoutRules::placementOf does.
Result<std::vector<Advice>> adviceFor(LayoutRules& rules, ClosedTypeId type, std::span<const FieldUse> use,
                                      std::optional<LayoutUnit> unit = {});

/// For each field of the layout, in its order, the rule that put it there.
/// Fails as LayoutRules::placementOf does.
Result<std::vector<FieldReason>> fieldReasons(LayoutRules& rules, ClosedTypeId type);

/// Says of each padding of a computed layout why its bytes are empty (Padding::why); of an array's, of those of an
/// element. Fails as LayoutRules::placementOf does.
Result<void> explainPaddings(LayoutRules& rules, ClosedTypeId type, TypeLayout& layout);

/// "Declared sequential, laid out auto: Customer (Shop.Customer) is a reference, and …"; empty if it is as declared.
Result<std::string> whyNotAsDeclared(LayoutRules& rules, ClosedTypeId type);

/// The type as C#, with its fields in the changed order and the attributes that this needs: ready to paste. Empty for
/// what has no fields of one's own, as enums and delegates.
Result<std::string> csharpDeclaration(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change);

}  // namespace heapscape::engine
