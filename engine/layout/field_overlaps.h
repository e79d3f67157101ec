// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "layout/type_layout.h"

namespace heapscape::engine {

/// For each of the fields, which come by offset: whether it shares bytes with another one, as in a union.
std::vector<bool> overlappingFields(std::span<const LayoutField> fields);

}  // namespace heapscape::engine
