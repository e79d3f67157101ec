// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"

namespace heapscape::engine {

/// Finds the bytes of a layout that no field uses, and gives each to the innermost value type it lies in, or to the
/// type itself. Bytes that one of several overlapping fields uses are no padding. Fills paddings and both sums.
void findPaddings(TypeLayout& layout);

}  // namespace heapscape::engine
