// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

enum class FieldKind : std::uint8_t { Reference, Primitive, Pointer, ValueType };
enum class TypeKind : std::uint8_t { Class, Struct, Enum, Delegate, Interface, String, Array };
template <>
inline constexpr auto kEnumNames<TypeKind> = std::to_array<EnumName<TypeKind>>({{TypeKind::Class, "class"},
                                                                                {TypeKind::Struct, "struct"},
                                                                                {TypeKind::Enum, "enum"},
                                                                                {TypeKind::Delegate, "delegate"},
                                                                                {TypeKind::Interface, "interface"},
                                                                                {TypeKind::String, "string"},
                                                                                {TypeKind::Array, "array"}});
enum class LayoutKind : std::uint8_t { Auto, Sequential, Explicit };
template <>
inline constexpr auto kEnumNames<LayoutKind> = std::to_array<EnumName<LayoutKind>>(
    {{LayoutKind::Auto, "auto"}, {LayoutKind::Sequential, "sequential"}, {LayoutKind::Explicit, "explicit"}});
/// Unit of a layout's size. An array grows by its elements, so theirs is what a declaration can change.
enum class LayoutUnit : std::uint8_t { Object, Value, Element };
template <>
inline constexpr auto kEnumNames<LayoutUnit> = std::to_array<EnumName<LayoutUnit>>({{LayoutUnit::Object, "object"},
                                                                                    {LayoutUnit::Value, "value"},
                                                                                    {LayoutUnit::Element, "element"}});

/// A field where the runtime has put it. Offsets count from the start of the fields of the whole object: its address +
/// 8, or the start of an unboxed value; nested fields count from there too.
struct LayoutField {
  std::string declaringType;
  std::string name;
  std::string typeName;
  std::uint32_t offset = 0;
  std::uint32_t sizeBytes = 0;
  std::uint32_t repeat = 1;  // elements of an inline array or a fixed buffer, one behind the other, each of sizeBytes
  FieldKind kind = FieldKind::Primitive;
  Address methodTable;              // of a value type's or primitive's own type where it is loaded
  std::vector<LayoutField> nested;  // fields of a value type, by offset; empty for primitives and references
};

/// Bytes that no field uses.
struct Padding {
  std::uint32_t offset = 0;  // as for fields
  std::uint32_t sizeBytes = 0;
  std::string in;         // the type whose padding it is: the object's own type, or that of a nested value
  bool isNested = false;  // inside a value type field
  std::string why = {};   // "b needs a multiple of 8", where explainPaddings() was asked; else empty
};

/// The part of an object that one class of the inheritance chain laid out.
struct InheritanceLevel {
  std::string typeName;
  Address methodTable;
  std::uint32_t offset = 0;  // of its first field; levels without fields are left out
  std::uint32_t sizeBytes = 0;
};

/// How one type's instances look in memory.
struct TypeLayout {
  std::string typeName;
  std::string assembly;
  Address methodTable;
  TypeKind kind = TypeKind::Class;
  std::optional<LayoutKind> declaredKind;  // from metadata; nothing if the metadata is missing
  std::uint32_t declaredPack = 0;
  std::uint32_t declaredSize = 0;
  LayoutKind effectiveKind = LayoutKind::Auto;  // how the fields really lie

  // Bytes of an object without array elements or characters: header 8, method table 8, rest.
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;         // bytes of an array element or character, 0 for others
  std::optional<std::uint32_t> valueSize;  // unboxed, for value types
  std::optional<std::uint32_t> alignment;  // of computed layouts: of a value type inside another

  // Places of saved locals of a suspended method (.NET 11): "Shop.Orders.PlaceAsync, at await 1" for each place whose
  // objects are of this type; by name.
  std::vector<std::string> continues;

  std::vector<LayoutField> fields;                                  // all levels, by offset
  std::vector<InheritanceLevel> levels;                             // base-most first
  std::vector<Padding> paddings;                                    // own and nested, by offset
  std::vector<std::pair<std::uint32_t, std::uint32_t>> references;  // [offset, bytes] runs of object references

  std::uint32_t fieldsBytes = 0;         // the area the fields lie in: value size, or base size − 16
  std::uint32_t ownPaddingBytes = 0;     // between, behind and before own fields
  std::uint32_t nestedPaddingBytes = 0;  // inside value type fields
  std::uint32_t paddingBytes() const { return ownPaddingBytes + nestedPaddingBytes; }

  // Arrays
  std::uint32_t rank = 0;
  std::string elementTypeName;
  FieldKind elementKind = FieldKind::Primitive;  // characters of a string are primitive elements
  std::uint32_t elementOffset = 0;               // of element 0 from the object's address
  std::vector<TypeLayout> elementLayout;         // none or one: the layout of a value type element, not boxed

  LayoutUnit unit() const;
  /// Size of one unit: base size of an object, unboxed size of a value, size of an element.
  std::uint32_t unitBytes() const;
  /// The layout that has the unit's fields and paddings: that of a value type element, otherwise this one.
  const TypeLayout& unitLayout() const { return elementLayout.empty() ? *this : elementLayout.front(); }
  /// "saved locals of Shop.Orders.PlaceAsync, at await 1; Shop.Orders.ChargeAsync, at await 0; and 3 more"; else empty.
  std::string continuesText() const;
  /// Appends what one type of the inheritance declares, where it declares something.
  void addLevel(std::string declaringType, Address itsMethodTable, std::vector<LayoutField> declared);
  /// Orders fields by offset; those that overlap stay in the order of their declaration.
  static void sortByOffset(std::vector<LayoutField>& fields);
  /// Adds to the offsets of all fields, nested ones too.
  static void move(std::vector<LayoutField>& fields, std::uint32_t by);
};

}  // namespace heapscape::engine
