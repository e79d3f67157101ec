// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

enum class ValueKind : std::uint8_t {
  Null,       // a reference, a Nullable or a pointer to nothing
  Reference,  // to an object
  Boolean,
  Character,
  Integer,
  Real,
  Enum,
  Pointer,  // unmanaged, native integers and handles too, to a function, or a reference into the middle of something
  Known,    // a value type that people read as one thing: DateTime, Guid, decimal, Nullable with a value …
  Struct,   // any other value type: its fields are the value
  Damaged,  // cannot be read, or is not what its type says
};
template <>
inline constexpr auto kEnumNames<ValueKind> = std::to_array<EnumName<ValueKind>>({
    {ValueKind::Null, "null"},
    {ValueKind::Reference, "reference"},
    {ValueKind::Boolean, "boolean"},
    {ValueKind::Character, "character"},
    {ValueKind::Integer, "integer"},
    {ValueKind::Real, "real"},
    {ValueKind::Enum, "enum"},
    {ValueKind::Pointer, "pointer"},
    {ValueKind::Known, "known"},
    {ValueKind::Struct, "struct"},
    {ValueKind::Damaged, "damaged"},
});

/// The kind of thing that an address in a value is known to lead to.
enum class PointedKind : std::uint8_t {
  Nothing,  // that is known for certain
  Code,     // where a managed method begins
  Type,     // a method table or TypeDesc
  Method,   // a MethodDesc
  Field,    // a FieldDesc
  Module,   // the runtime's Module, or its Assembly
  Object,   // on the heap, or a place in one
  Handle,   // of the GC
  Stack,    // of a thread of the runtime
  File,     // that is mapped
};
template <>
inline constexpr auto kEnumNames<PointedKind> = std::to_array<EnumName<PointedKind>>({
    {PointedKind::Nothing, "nothing"},
    {PointedKind::Code, "code"},
    {PointedKind::Type, "type"},
    {PointedKind::Method, "method"},
    {PointedKind::Field, "field"},
    {PointedKind::Module, "module"},
    {PointedKind::Object, "object"},
    {PointedKind::Handle, "handle"},
    {PointedKind::Stack, "stack"},
    {PointedKind::File, "file"},
});

/// One value as people read it.
struct Value {
  ValueKind kind = ValueKind::Damaged;
  /// The value as C# would write it: 42, 'x', true, 1.5, Friday, Read | Write, null, "the first characters of a
  /// string", 2024-02-29 12:30:00, 0x7f…; of an array "int[3]"-like facts, of an object that people read as one thing
  /// what it holds, of another its type; of a Struct empty, or its fields in short. Behind a Pointer " " and what it
  /// leads to, if that is known: a method whose code begins there by its name, all else with what it is.
  std::string text = {};
  Address object = {};          // Reference: what it refers to
  Address methodTable = {};     // Reference: the real type of the object; 0 if that is none
  std::string objectType = {};  // Reference: that type's name
  std::string characters = {};  // Reference to a String: its first characters as they are; "…" if there are more
  PointedKind pointed = PointedKind::Nothing;  // Pointer
  Address target = {};                         // Pointer: the object that it, or the handle that it leads to, refers to
  bool isString = false;                       // the text holds what strings or JSON say, which --redact leaves out
  bool isMissing = false;                      // Damaged only because the dump does not hold the bytes
  std::string damage = {};                     // why the value is Damaged or not to be trusted; empty if all is well
};

/// One field, element or variable and what it holds.
struct FieldValue {
  std::string declaringType;  // empty for elements
  std::string name;           // of elements "[3]", "[1, 2]"
  std::string typeName;       // as declared
  Address address;            // where the value lies
  std::uint64_t offset = 0;   // from the object's address, nested ones too; of an unboxed value's fields from its start
  std::uint32_t sizeBytes = 0;
  Address methodTable;  // of the declared type where it is a value type or a primitive that is loaded
  Value value;
  std::vector<FieldValue> nested;  // a value type's fields, or the elements of an inline array or a fixed buffer
};

/// Whether a value is contents, which is left out where these are to be: all but null, and what cannot be read.
bool isContents(const Value& value);

}  // namespace heapscape::engine
