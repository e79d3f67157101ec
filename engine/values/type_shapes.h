// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metadata/metadata.h"
#include "metadata/signature.h"
#include "runtime/runtime_readers.h"

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

/// The F# declaration of a type, from the attribute that its compiler leaves (CompilationMapping, prim-types.fs).
struct FSharpType {
  struct Case {
    std::string name;
    std::vector<std::string> fields;  // as they are named in the class or structure that holds them, in order
  };

  bool isUnion = false;
  std::vector<Case> cases;          // of a union, by tag
  std::vector<std::string> fields;  // of a record, in order
  std::string definition;           // "Museum.Shape"; "…+Circle" is the class of a case

  /// The case with that tag; null if there is none.
  const Case* caseOf(std::int32_t tag) const;
  const Case* caseNamed(std::string_view name) const;
};

/// The declaration of a type; nothing if it is no record or union of F#. `type`: for an object of a union this may be
/// the class of its case; ask for its parent then.
std::optional<FSharpType> readFSharpType(const RuntimeReaders& readers, const MethodTable& type);

class TypeShapes;
struct TypeShape;

/// A record or union of F#, as the type of an instance tells it.
struct FSharpDeclaration {
  FSharpType type;
  const FSharpType::Case* onlyCase = nullptr;  // that an instance without a tag can be of; null if none is certain
};

/// Which types are records and unions of F#, read from metadata once for each. Safe from any thread.
class FSharpTypes {
 public:
  /// Null if it is neither. The pointer lives as long as this object.
  const FSharpDeclaration* find(const RuntimeReaders& readers, const TypeShapes& shapes, const TypeShape& shape);

 private:
  std::mutex m_mutex;
  std::unordered_map<Address, std::unique_ptr<const FSharpDeclaration>> m_types;  // null for what is neither
};

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
  /// The slot of a field. `declaring`: the exact type that declares it.
  Slot slotOf(const FieldDesc& field, const MethodTable& declaring) const;
  /// The slot of a variable or a parameter of a signature.
  Slot slotOf(const SignatureType& type, const SignatureContext& context) const;
  /// A slot of a type: a value type or primitive itself, a pointer, of any other type a reference.
  Slot slotOf(TypeHandle type) const;
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
  Address m_enumType;
  mutable std::shared_mutex m_mutex;
  mutable std::unordered_map<Address, std::unique_ptr<TypeShape>> m_shapes;  // null for what is no method table
  mutable FSharpTypes m_fsharpTypes;
};

}  // namespace heapscape::engine
