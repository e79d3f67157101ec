// SPDX-License-Identifier: MIT
#include "layout/type_kind.h"

namespace heapscape::engine {

TypeKind kindOf(const ClrRuntime& runtime, const MethodTable& type) {
  const auto isGlobal = [&](Address methodTable, std::string_view name) {
    const auto global = runtime.globalPointer(name);
    return global && *global == methodTable;
  };
  if (type.isArray) return TypeKind::Array;
  if (type.isInterface) return TypeKind::Interface;
  if (isGlobal(type.address, "StringMethodTable")) return TypeKind::String;
  if (isGlobal(type.parent, "EnumMethodTable")) return TypeKind::Enum;
  if (isGlobal(type.parent, "MulticastDelegateMethodTable")) return TypeKind::Delegate;
  return type.isValueType ? TypeKind::Struct : TypeKind::Class;
}

}  // namespace heapscape::engine
