// SPDX-License-Identifier: MIT
#include "layout/repeated_field.h"

#include "layout/fixed_buffer.h"
#include "layout/inline_array.h"

namespace heapscape::engine {

std::uint32_t repeatOfOnlyField(const MethodTables& methodTables, const Modules& modules, const MethodTable& type,
                                std::string_view typeName, std::uint32_t fieldBytes) {
  if (!type.isValueType || !fieldBytes) return 1;
  const auto size = methodTables.valueSize(type);
  if (!size || *size <= fieldBytes) return 1;
  // An auto layout rounds an inline array's element up, but the elements stand one behind the other all the same.
  const Module* module = modules.definingModule(methodTables, type);
  const auto row = methodTables.typeDefRow(type);
  const auto length = module && module->metadata && row ? inlineArrayLength(*module->metadata, *row) : std::nullopt;
  if (length && std::uint64_t{*length} * fieldBytes <= *size) return *length;
  return isFixedBuffer(typeName) && *size % fieldBytes == 0 ? *size / fieldBytes : 1;
}

}  // namespace heapscape::engine
