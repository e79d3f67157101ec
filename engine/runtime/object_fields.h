// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "runtime/types/field_descs.h"

namespace heapscape::engine {

/// What an object's instance field of this name refers to; null for a null reference. If several of its base types
/// declare such a field, that of the base-most one. Fails with NotFound, NotInDump or Damaged.
Result<Address> readReferenceField(const MethodTables& methodTables, const FieldDescs& fields, Address object,
                                   std::string_view name);

}  // namespace heapscape::engine
