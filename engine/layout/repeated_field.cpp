// SPDX-License-Identifier: MIT
#include "layout/repeated_field.h"

#include "layout/fixed_buffer.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kInlineArrayAttribute = "System.Runtime.CompilerServices.InlineArrayAttribute";

}  // namespace

std::uint32_t repeatOfOnlyField(const MethodTables& methodTables, const Modules& modules, const MethodTable& type,
                                std::string_view typeName, std::uint32_t fieldBytes) {
  if (!type.isValueType || !fieldBytes) return 1;
  const auto size = methodTables.valueSize(type);
  if (!size || *size <= fieldBytes || *size % fieldBytes) return 1;
  const Module* module = modules.definingModule(methodTables, type);
  const auto row = methodTables.typeDefRow(type);
  const bool isInlineArray =
      module && module->metadata && row && module->metadata->typeAttribute(*row, kInlineArrayAttribute);
  return isInlineArray || isFixedBuffer(typeName) ? *size / fieldBytes : 1;
}

}  // namespace heapscape::engine
