// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "report/output.h"

namespace heapscape::engine {

/// The layout as a box with a row a field and a padding, and a box in the row of each value type's field. Offsets count
/// from the start of the fields, in an inner box from the start of its value.
void writeLayoutText(Output& output, const TypeLayout& layout);

}  // namespace heapscape::engine
