// SPDX-License-Identifier: MIT
#include "layout/rules/blittable.h"

#include <algorithm>
#include <initializer_list>

namespace heapscape::engine {
namespace {

/// Native types of MarshalAs, ECMA-335 II.23.4 and CorNativeType.
enum NativeType : std::uint8_t {
  kI1 = 0x03,
  kU1 = 0x04,
  kI2 = 0x05,
  kU2 = 0x06,
  kI4 = 0x07,
  kU4 = 0x08,
  kI8 = 0x09,
  kU8 = 0x0a,
  kR4 = 0x0b,
  kR8 = 0x0c,
  kStruct = 0x1b,
  kInt = 0x1f,
  kUInt = 0x20,
  kFunc = 0x26,
  kError = 0x2d,
};

bool isBlittable(const PlacedField& field, bool isAnsi) {
  const auto native = field.declaration->nativeType;
  const auto isOneOf = [native](std::initializer_list<NativeType> same) {
    return !native || std::ranges::find(same, *native) != same.end();
  };
  switch (field.declaration->element) {
    case ElementType::Char:
      return native ? isOneOf({kI2, kU2}) : !isAnsi;
    case ElementType::I1:
    case ElementType::U1:
      return isOneOf({kI1, kU1});
    case ElementType::I2:
    case ElementType::U2:
      return isOneOf({kI2, kU2});
    case ElementType::I4:
    case ElementType::U4:
      return isOneOf({kI4, kU4, kError});
    case ElementType::I8:
    case ElementType::U8:
      return isOneOf({kI8, kU8});
    case ElementType::R4:
      return isOneOf({kR4});
    case ElementType::R8:
      return isOneOf({kR8});
    case ElementType::I:
    case ElementType::U:
      return isOneOf({kInt, kUInt});
    case ElementType::Ptr:
      return isOneOf({kFunc});
    case ElementType::ValueType:
      return isOneOf({kStruct}) && field.value && field.value->isBlittable;
    default:
      return false;
  }
}

}  // namespace

bool isBlittable(const PlacementInput& input) {
  const TypeDeclaration& type = input.declaration;
  if (type.layoutKind == LayoutKind::Auto || type.wellKnown == WellKnownType::Decimal) return false;
  if (input.base.placement && !input.base.placement->isBlittable) return false;
  return std::ranges::all_of(input.fields, [&](const PlacedField& field) { return isBlittable(field, type.isAnsi); });
}

}  // namespace heapscape::engine
