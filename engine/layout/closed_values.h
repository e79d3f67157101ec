// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "layout/type_layout.h"

namespace heapscape::engine {

/// Leaves out what lies in value types deeper than so many levels of fields: their fields and the paddings among them.
/// 0 closes every value type field. Sums of padding stay those of the whole layout. Of arrays of value types it is the
/// element's fields that are level 0.
void closeValuesBelow(TypeLayout& layout, std::size_t levels);

/// Bytes of padding inside value types that were closed: in the sums, but not in `paddings`.
std::uint32_t closedPaddingBytes(const TypeLayout& layout);

}  // namespace heapscape::engine
