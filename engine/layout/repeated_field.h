// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "metadata/metadata.h"
#include "runtime/modules/modules.h"
#include "runtime/types/field_descs.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// How many elements an InlineArrayAttribute gives a type, as it says; nullopt without one.
std::optional<std::uint32_t> inlineArrayLength(const Metadata& metadata, std::uint32_t typeDefRow);

/// Whether the C# compiler made the type for a fixed buffer: it declares its first element alone, and its size tells
/// how many there are.
constexpr bool isFixedBuffer(std::string_view typeName) {
  return typeName.ends_with("e__FixedBuffer");
}

/// An inline array or fixed buffer declares its first element only, and its size tells how many there are: how often
/// the only field of a value type, of this size, lies in it. 1 for every other type.
std::uint32_t repeatOfOnlyField(const MethodTables& methodTables, const Modules& modules, const FieldDescs& fields,
                                const MethodTable& type, std::string_view typeName, std::uint32_t fieldBytes);

}  // namespace heapscape::engine
