// SPDX-License-Identifier: MIT
#include "runtime/object_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

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
