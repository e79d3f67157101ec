// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// A type's name without namespaces, its arguments' too: "Dictionary<String, Order>+Entry[]".
std::string shortTypeName(std::string_view typeName);

}  // namespace heapscape::engine
