// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/modules/modules.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// An inline array or fixed buffer declares its first element only, and its size tells how many there are: how often
/// the only field of a value type, of this size, lies in it. 1 for every other type.
std::uint32_t repeatOfOnlyField(const MethodTables& methodTables, const Modules& modules, const MethodTable& type,
                                std::string_view typeName, std::uint32_t fieldBytes);

}  // namespace heapscape::engine
