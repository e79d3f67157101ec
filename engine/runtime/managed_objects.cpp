// SPDX-License-Identifier: MIT
#include "runtime/managed_objects.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "base/unicode.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

Result<std::string> readManagedString(const ClrRuntime& runtime, Address object, std::size_t limit) {
  HEAPSCAPE_TRY(Address methodTable, runtime.pointerAt(object, "Object", "m_pMethTab"));
  methodTable.value &= ~runtime.contract().constant("ObjectToMethodTableUnmask");
  HEAPSCAPE_TRY(const Address stringType, runtime.globalPointer("StringMethodTable"));
  if (methodTable != stringType) return failure(ErrorCode::Damaged, "There is no string at " + toString(object) + ".");
  HEAPSCAPE_TRY(const std::uint32_t length, runtime.valueAt<std::uint32_t>(object, "String", "m_StringLength"));
  std::u16string text(std::min<std::size_t>(length, limit), u'\0');
  const Address characters = runtime.member(object, "String", "m_FirstChar");
  if (!runtime.memory().tryRead(characters, std::as_writable_bytes(std::span(text)))) {
    return failure(ErrorCode::NotInDump,
                   "The characters of the string at " + toString(object) + " are not in the dump.");
  }
  return toUtf8(text);
}

Result<Address> readReferenceField(const MethodTables& methodTables, const FieldDescs& fields, Address object,
                                   std::string_view name) {
  const ClrRuntime& runtime = methodTables.runtime();
  HEAPSCAPE_TRY(Address methodTable, runtime.pointerAt(object, "Object", "m_pMethTab"));
  methodTable.value &= ~runtime.contract().constant("ObjectToMethodTableUnmask");
  std::optional<std::uint32_t> offset;
  for (std::size_t depth = 0; methodTable && depth < kLimits.parentDepth; ++depth) {
    HEAPSCAPE_TRY(const MethodTable type, methodTables.read(methodTable));
    HEAPSCAPE_TRY(const std::vector<FieldDesc> declared, fields.declaredBy(type));
    const auto field =
        std::ranges::find_if(declared, [&](const FieldDesc& desc) { return !desc.isStatic && desc.name == name; });
    if (field != declared.end()) offset = field->offset;
    methodTable = type.parent;
  }
  if (!offset)
    return failure(ErrorCode::NotFound, fmt::format("The object at {} has no field {}.", toString(object), name));
  return runtime.memory().readPointer(object + kFieldsStart + *offset);
}

}  // namespace heapscape::engine
