// SPDX-License-Identifier: MIT
#include "values/value.h"

#include <cstddef>

namespace heapscape::engine {

const char* toString(ValueKind kind) {
  switch (kind) {
    case ValueKind::Null:
      return "null";
    case ValueKind::Reference:
      return "reference";
    case ValueKind::Boolean:
      return "boolean";
    case ValueKind::Character:
      return "character";
    case ValueKind::Integer:
      return "integer";
    case ValueKind::Real:
      return "real";
    case ValueKind::Enum:
      return "enum";
    case ValueKind::Pointer:
      return "pointer";
    case ValueKind::Known:
      return "known";
    case ValueKind::Struct:
      return "struct";
    case ValueKind::Damaged:
      return "damaged";
  }
  return "unknown";
}

const char* toString(PointedKind kind) {
  constexpr const char* kNames[] = {"nothing", "code",   "type",   "method", "field",
                                    "module",  "object", "handle", "stack",  "file"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool isContents(const Value& value) {
  return value.kind != ValueKind::Null && value.kind != ValueKind::Damaged;
}

}  // namespace heapscape::engine
