// SPDX-License-Identifier: MIT
#pragma once

#include "layout/rules/placed_field.h"

namespace heapscape::engine {

/// Whether the type looks the same to native code (IsFieldBlittable, src/coreclr/vm/fieldmarshaler.cpp): which decides
/// on .NET 8 and 9 whether a sequential class below an explicit one keeps its order.
bool isBlittable(const PlacementInput& input);

}  // namespace heapscape::engine
