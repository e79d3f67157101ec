// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "layout/type_layout.h"
#include "metadata/signature.h"

namespace heapscape::engine {

/// An assembly of a MetadataTypes, from 0.
using AssemblyId = Id<struct AssemblyTag>;
/// A type without open parameters that a MetadataTypes has met, from 0; the same type always has the same number.
using ClosedTypeId = Id<struct ClosedTypeTag>;

/// Parts of a closed type.
struct ClosedType {
  /// Boolean to R8, I, U (also for the structs of CoreLib that bear these names), Class (every reference type that is
  /// no array: String and Object, too), ValueType (enums, too), SzArray, Array, Ptr, ByRef, FnPtr, Void or TypedByRef.
  ElementType element = ElementType::End;
  AssemblyId assembly = {};                  // of Class, ValueType and primitives
  std::uint32_t typeDefRow = 0;              // of the same
  std::uint32_t rank = 0;                    // of Array
  std::vector<ClosedTypeId> arguments = {};  // of a generic type, outer ones first; element type of arrays and pointers
};

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
  bool isRetyped = false;  // it is tried as a primitive that its metadata does not name; `type` is none
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

/// Where the layout rules get their types from. Not for use from several threads at once.
class DeclaredTypes {
 public:
  virtual ~DeclaredTypes() = default;

  virtual const ClosedType& type(ClosedTypeId id) const = 0;
  /// The declaration of a class or value type, kept as long as this object. Fails with NotFound if an assembly that it
  /// needs is missing (which one), or with Damaged.
  virtual Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) = 0;
  /// The runtime's full name, "System.Collections.Generic.List<Shop.Order>".
  virtual const std::string& nameOf(ClosedTypeId id) = 0;
  /// The name of a field's type, also of one that was not looked for; `owner` declares the field.
  virtual std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) = 0;
  /// Simple name of its assembly, "System.Private.CoreLib".
  virtual const std::string& assemblyName(AssemblyId assembly) const = 0;
  /// Whether ReadyToRun code of one assembly may rely on layouts of another: they were compiled together, or are one.
  virtual bool sharesVersionBubble(AssemblyId assembly, AssemblyId other) const = 0;
  virtual bool isReadyToRun(AssemblyId assembly) const = 0;
  /// Its metadata, for what layouts do not need, as accessibility and names of type parameters; null if there is none.
  virtual const Metadata* metadataOf(AssemblyId) const { return nullptr; }
};

}  // namespace heapscape::engine
