// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "heap/object_head.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// By TypeId: whether its objects are arrays; strings are none.
std::vector<std::uint8_t> arrayTypes(const InsightInput& input);

/// "System.Int32" of "System.Int32[]".
std::string elementTypeName(const std::string& arrayType);

/// What an array of a type takes up on the heap with so many elements.
inline std::uint64_t arrayBytes(const TypeRow& type, std::uint64_t elements) {
  return alignUp(
      std::max<std::uint64_t>(kMinimumObjectBytes, type.baseSize + std::uint64_t{type.componentSize} * elements), 8);
}

}  // namespace heapscape::engine
