// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/clr_runtime.h"
#include "runtime/types/field_descs.h"

namespace heapscape::engine {

/// The characters of a System.String object as UTF-8, at most `limit` of them. Fails with NotInDump, or Damaged if the
/// object is no string.
Result<std::string> readManagedString(const ClrRuntime& runtime, Address object, std::size_t limit);

/// Target of an object's instance field of this name; null for a null reference. If several of its base types declare
/// such a field, that of the base-most one. Fails with NotFound, NotInDump or Damaged.
Result<Address> readReferenceField(const MethodTables& methodTables, const FieldDescs& fields, Address object,
                                   std::string_view name);

}  // namespace heapscape::engine
