// SPDX-License-Identifier: MIT
#include "layout/repeated_field.h"

#include "base/address.h"
#include "base/bounded_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kInlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";

}  // namespace

// II.23.3: prolog 1, then an int32. The runtime takes what lies there for the number and refuses 0 and less.
std::optional<std::uint32_t> inlineArrayLength(const Metadata& metadata, std::uint32_t typeDefRow) {
  const auto blob = metadata.typeAttribute(typeDefRow, kInlineArray);
  if (!blob) return std::nullopt;
  std::uint32_t length = 0;
  return tryReadAt(*blob, sizeof(std::uint16_t), length) ? length : 0;
}

std::uint32_t repeatOfOnlyField(const MethodTables& methodTables, const Modules& modules, const FieldDescs& fields,
                                const MethodTable& type, std::string_view typeName, std::uint32_t fieldBytes) {
  if (!type.isValueType || !fieldBytes) return 1;
  const auto size = methodTables.valueSize(type);
  if (!size || *size <= fieldBytes) return 1;
  // An auto layout rounds an inline array's element up, but the elements stand one behind the other all the same.
  const Module* module = modules.definingModule(methodTables, type);
  const auto row = methodTables.typeDefRow(type);
  // There nothing tells of the length but the size, which may be declared as such.
  if (!modules.areAssemblies()) {
    const auto told = fields.toldDeclarationOf(type);
    const bool isSized = told && told->attributes && told->attributes->size != 0;
    return *size % fieldBytes == 0 && (!isSized || isFixedBuffer(typeName)) ? *size / fieldBytes : 1;
  }
  const auto length = module && module->metadata && row ? inlineArrayLength(*module->metadata, *row) : std::nullopt;
  if (length && std::uint64_t{*length} * fieldBytes <= *size) return *length;
  return isFixedBuffer(typeName) && *size % fieldBytes == 0 ? *size / fieldBytes : 1;
}

}  // namespace heapscape::engine
