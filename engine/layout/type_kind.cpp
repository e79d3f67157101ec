// SPDX-License-Identifier: MIT
#include "layout/type_kind.h"

#include <string_view>

#include "base/bounded_reader.h"

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

namespace {

constexpr std::uint32_t kLayoutMask = 0x18;
constexpr std::uint32_t kSequential = 0x08;
constexpr std::uint32_t kExplicit = 0x10;
constexpr std::uint32_t kExtended = 0x18;

constexpr std::string_view kExtendedLayout = "System.Runtime.InteropServices.ExtendedLayoutAttribute";
constexpr std::int32_t kUnionOfC = 1;  // ExtendedLayoutKind.CUnion

}  // namespace

// II.23.3: prolog 1, then an int32.
bool isUnionOfC(const Metadata& metadata, std::uint32_t typeDefRow, std::uint32_t typeAttributes) {
  if ((typeAttributes & kLayoutMask) != kExtended) return false;
  const auto blob = metadata.typeAttribute(typeDefRow, kExtendedLayout);
  std::int32_t kind = 0;
  return blob && tryReadAt(*blob, sizeof(std::uint16_t), kind) && kind == kUnionOfC;
}

LayoutKind declaredLayoutKind(std::uint32_t typeAttributes) {
  switch (typeAttributes & kLayoutMask) {
    case kSequential:
    case kExtended:
      return LayoutKind::Sequential;
    case kExplicit:
      return LayoutKind::Explicit;
    default:
      return LayoutKind::Auto;
  }
}

LayoutKind declaredLayoutKind(const Metadata& metadata, std::uint32_t typeDefRow, std::uint32_t typeAttributes) {
  return isUnionOfC(metadata, typeDefRow, typeAttributes) ? LayoutKind::Explicit : declaredLayoutKind(typeAttributes);
}

}  // namespace heapscape::engine
