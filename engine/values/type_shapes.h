// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/concurrent_unordered_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spread_address.h"
#include "metadata/metadata.h"
#include "metadata/signature.h"
#include "runtime/runtime_readers.h"
#include "values/fsharp_types.h"

namespace heapscape::engine {

/// The members of an enum, from its literal fields.
struct EnumNames {
  struct Member {
    std::uint64_t value = 0;  // as wide as the underlying type, not sign-extended
    std::string name;
  };
  std::vector<Member> members;  // by value
  bool isFlags = false;
};

/// Reads the literals of a type definition; none if there are none.
EnumNames readEnumNames(const Metadata& metadata, std::uint32_t typeDefRow, ElementType underlying);

/// Whether an enum of which no attribute is known is one of [Flags] by its members: three or more are single bits, and
/// all others are made of these.
bool lookLikeFlags(std::span<const EnumNames::Member> members);

/// "Friday", of a [Flags] enum "Read | Write"; the number where no member, or set of members, has the value.
std::string enumText(const EnumNames& names, ElementType underlying, std::uint64_t bits);

/// The kind of thing that lies in a field, an element or a variable.
struct Slot {
  enum class Kind : std::uint8_t { Reference, Primitive, Pointer, TypedReference, ValueType, Unknown };

  Kind kind = Kind::Unknown;
  ElementType element = ElementType::End;  // of a Primitive
  TypeHandle type;                         // of a ValueType; of others where it is loaded
  std::uint32_t sizeBytes = 0;             // 0 if unknown
  std::string typeName;                    // as declared
};

struct FieldShape {
  std::string name;
  std::uint32_t offset = 0;  // from the start of the fields
  Slot slot;
};

/// How values of one type are read: the fields that the type itself declares, and what it is.
struct TypeShape {
  enum class Kind : std::uint8_t { Class, Primitive, Enum, Nullable, Struct };

  MethodTable type;
  std::string name;
  Kind kind = Kind::Class;
  ElementType element = ElementType::End;  // of a Primitive, and under an Enum
  std::uint32_t sizeBytes = 0;             // of all fields, unboxed
  EnumNames enumNames;
  std::vector<FieldShape> fields;  // instance fields by offset
  std::uint32_t repeat = 1;        // elements of an inline array or a fixed buffer, whose only field is the first
  std::string damage;              // why the fields cannot be read; empty if they can

  /// The instance field of that name that the type declares; null if there is none.
  const FieldShape* field(std::string_view fieldName) const;
};

/// The shapes of types, each read from the dump once. Safe from any thread.
class TypeShapes {
 public:
  explicit TypeShapes(const RuntimeReaders& readers);

  /// The shape of a type; null if there is no method table. The pointer lives as long as this object.
  const TypeShape* find(Address methodTable) const;
  /// The method table of String; 0 if it is not known.
  Address stringType() const { return m_stringType; }
  /// The slot of a field. `declaring`: the exact type that declares it.
  Slot slotOf(const FieldDesc& field, const MethodTable& declaring) const;
  /// The slot of a variable or a parameter of a signature.
  Slot slotOf(const SignatureType& type, const SignatureContext& context) const;
  /// A slot of a type: a value type or primitive itself, a pointer, of any other type a reference.
  Slot slotOf(TypeHandle type) const;
  /// The field of that name of a type or one of its parents, the type's own first. Null if there is none, or if the
  /// fields of a type on the way are not known.
  const FieldShape* fieldOf(const TypeShape& shape, std::string_view name) const;
  /// The F# declaration of the type of an instance; null if it is no record or union. Lives as long as this object.
  const FSharpDeclaration* fsharpType(const TypeShape& shape) const {
    return m_fsharpTypes.find(m_readers, *this, shape);
  }

 private:
  std::unique_ptr<TypeShape> read(Address methodTable) const;
  void describeValueType(TypeShape& shape) const;
  void readFields(TypeShape& shape) const;
  void readReferences(TypeShape& shape) const;
  Slot slotIn(const FieldDesc& field, const SignatureContext& context) const;
  SignatureContext contextOf(const MethodTable& type) const;

  const RuntimeReaders& m_readers;
  Address m_enumType, m_stringType;
  mutable tbb::concurrent_unordered_map<Address, std::unique_ptr<TypeShape>, SpreadAddress> m_shapes;  // null: no type
  mutable FSharpTypes m_fsharpTypes;
};

}  // namespace heapscape::engine
