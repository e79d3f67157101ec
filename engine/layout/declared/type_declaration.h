// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "layout/declared/closed_type.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

/// An instance field as metadata declares it, type parameters replaced.
struct FieldDeclaration {
  std::string_view name = {};
  ClosedTypeId type = {};
  /// As the runtime lays it out: a primitive (also for enums: their underlying one), Class for every reference, Ptr
  /// (function pointers, too), ByRef, ValueType, or TypedByRef.
  ElementType element = ElementType::End;
  std::optional<std::uint32_t> explicitOffset = {};  // FieldOffset
  std::optional<std::uint8_t> nativeType = {};       // of a MarshalAs attribute (ECMA-335 II.23.4)
  std::uint32_t fieldRow = 0;
};

/// Types of the framework whose layout their metadata does not tell.
enum class WellKnownType : std::uint8_t {
  None,
  Object,
  ValueType,
  Enum,
  String,
  Decimal,
  Int128,
  Vector64,
  Vector128,
  Vector256,
  Vector512,
  VectorOfT
};

/// All that a layout is computed from.
struct TypeDeclaration {
  TypeKind kind = TypeKind::Class;
  WellKnownType wellKnown = WellKnownType::None;
  LayoutKind layoutKind = LayoutKind::Auto;
  std::uint32_t pack = 0;       // 0: natural
  std::uint32_t size = 0;       // StructLayout.Size; 0: none
  bool hasClassLayout = false;  // a ClassLayout row, even of zeroes
  ClosedTypeId base = {};       // none for Object, interfaces and value types
  bool isGeneric = false;       // it or a type around it has type parameters
  bool isByRefLike = false;
  bool isAnsi = true;  // TypeAttributes.StringFormatMask says AnsiClass: its char fields are not blittable
  bool isAbstract = false;
  std::optional<std::uint32_t> inlineArrayLength = {};  // of an InlineArrayAttribute, as it says
  ElementType underlying = ElementType::End;            // of an enum
  std::uint32_t typeDefRow = 0;
  AssemblyId assembly = {};
  std::vector<FieldDeclaration> fields = {};  // own instance fields, in metadata's order
};

}  // namespace heapscape::engine
