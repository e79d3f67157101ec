// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace heapscape::engine {

/// Whether the C# compiler made the type for a fixed buffer: it declares its first element alone, and its size tells
/// how many there are.
constexpr bool isFixedBuffer(std::string_view typeName) {
  return typeName.ends_with("e__FixedBuffer");
}

}  // namespace heapscape::engine
