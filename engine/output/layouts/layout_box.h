// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "output/layouts/text_box.h"

namespace heapscape::engine {

/// What a box shows beside fields and paddings.
struct LayoutBoxMarks {
  const TypeLayout* before = nullptr;  // another layout of the type: fields that lie elsewhere in it say where
  bool cacheLines = false;             // as if the object, or the unboxed value, began a line of 64 bytes
};

/// A row for each field and padding, and a box in the row of each value type's field. Offsets count from the start of
/// the fields, in an inner box from the start of its value.
TextBox layoutBox(const TypeLayout& layout, const LayoutBoxMarks& marks = {});

/// "1 byte", "12 bytes".
std::string bytesText(std::uint64_t bytes);

}  // namespace heapscape::engine
