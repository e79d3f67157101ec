// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "output/output.h"

namespace heapscape::engine {

/// What a percentage of padding is of: "fields" of an object, "value", "element".
const char* spaceOf(LayoutUnit unit);

/// The line that names the type and how it is declared.
void writeLayoutTitle(Output& output, const TypeLayout& layout);

/// The layout as a box, see layout_box.h, with its size and padding above it.
void writeLayoutText(Output& output, const TypeLayout& layout);

}  // namespace heapscape::engine
