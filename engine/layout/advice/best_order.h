// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layout/advice/layout_advice.h"
#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// The best that can be declared for a type, and the change of its declaration that gets there (empty if nothing is
/// better). Every candidate is laid out by the rules of the runtime themselves, so what is promised is what it would
/// do.
struct BestDeclaration {
  BestOrder best;
  DeclarationChange change;
  bool isExact = true;  // false where there are too many fields of too many shapes to prove that nothing is better
};

struct BestOrderOptions {
  std::optional<std::uint32_t> pack = {};  // also with this Pack, giving up alignment
};

/// Fails as LayoutRules::placementOf does.
Result<BestDeclaration> bestOrderOf(LayoutRules& rules, ClosedTypeId type, const BestOrderOptions& options = {});

}  // namespace heapscape::engine
