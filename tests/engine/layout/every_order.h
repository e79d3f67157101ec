// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "layout/rules/layout_rules.h"

namespace heapscape::test {

/// The fewest bytes of any order of the own fields under every attribute, each laid out by the rules: as declared,
/// Auto, Sequential with no Pack and Size and with those declared, Explicit at natural alignment below no base. What
/// bestOrderOf() has to find without trying them all. Base size of a class, unboxed size of a value type.
std::uint32_t fewestBytesOfEveryOrder(engine::LayoutRules& rules, engine::ClosedTypeId type);

}  // namespace heapscape::test
