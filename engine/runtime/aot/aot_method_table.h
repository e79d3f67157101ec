// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "memory/address_space.h"
#include "metadata/signature.h"
#include "runtime/aot/aot_layout.h"

namespace heapscape::engine {

/// The form of a type's MethodTable (EETypeKind, src/coreclr/nativeaot/Common/src/Internal/Runtime/MethodTable.cs).
enum class AotTypeKind : std::uint8_t {
  Canonical,          // classes, value types, interfaces, and what holds a class's static fields
  FunctionPointer,    // never of an object
  Parameterised,      // arrays; pointers and references, which are never of an object
  GenericDefinition,  // never of an object
};

/// The head of a type of a program that was compiled ahead of time (EEType): what every object points to.
struct AotMethodTable {
  Address address;
  std::uint32_t flags = 0;
  std::uint32_t baseSize = 0;       // bytes of an object without elements, header included; 0 for what has no objects
  std::uint32_t componentSize = 0;  // bytes of an array element or character; 0 for others
  Address parent;                   // what the class derives from; 0 for arrays and interfaces, too
  Address parameter;                // element type of an array, target of a pointer, return type of a function pointer
  std::uint16_t vtableSlots = 0;
  std::uint16_t interfaces = 0;
  std::uint32_t arrayRank = 0;  // 0 if no array

  AotTypeKind kind = AotTypeKind::Canonical;
  /// Enums have the one of their underlying type, interfaces have Class, what holds static fields has End.
  ElementType elementType = ElementType::End;
  bool hasComponentSize = false;
  bool containsPointers = false;
  bool hasFinalizer = false;
  bool isArray = false;    // of any rank
  bool isSzArray = false;  // one dimension from 0
  bool isInterface = false;
  bool isValueType = false;  // also enums, primitives and Nullable
  bool isNullable = false;
  bool isGenericInstance = false;
  bool isDynamic = false;  // made at run time by the type loader
  /// Compiled for an object that holds static fields: classes with the same layout of references there share it.
  bool isStaticsBase = false;
};

/// Reads MethodTables and what hangs on them. Every call reads the dump; nothing is cached. Safe from any thread.
class AotMethodTables {
 public:
  /// Both have to live as long as this.
  AotMethodTables(const AddressSpace& memory, const AotLayout& layout) : m_memory(memory), m_layout(layout) {}

  /// Fails with NotInDump, or Damaged where flags, sizes and addresses contradict each other.
  Result<AotMethodTable> read(Address address) const;
  bool isMethodTable(Address address) const { return read(address).has_value(); }

  /// The types it implements, those of its parents included. Fails with NotInDump or Damaged.
  Result<std::vector<Address>> interfaces(const AotMethodTable& type) const;
  /// What its virtual slots hold, inherited ones too: where code begins, or of a generic type what leads to its
  /// arguments. Fails with Damaged.
  Result<std::vector<Address>> virtualSlots(const AotMethodTable& type) const;
  /// The MethodTable of the generic definition; fails with NotFound unless an instantiation.
  Result<Address> genericDefinition(const AotMethodTable& type) const;
  /// Empty unless an instantiation of a generic type. Those of all nesting levels, outermost first.
  Result<std::vector<Address>> typeArguments(const AotMethodTable& type) const;
  /// Empty unless a function pointer.
  Result<std::vector<Address>> functionParameters(const AotMethodTable& type) const;
  /// Bytes of an unboxed value: fields without the header, the MethodTable pointer and the rounding of the box.
  Result<std::uint32_t> valueSize(const AotMethodTable& type) const;
  /// Where the address of the TypeManager lies that the type belongs to. Fails with NotFound for what holds static
  /// fields.
  Result<Address> typeManager(const AotMethodTable& type) const;

  const AddressSpace& memory() const { return m_memory; }
  const AotLayout& layout() const { return m_layout; }

 private:
  /// Members that only some types have follow the interfaces in this order.
  enum class Member {
    TypeManager,
    WritableData,
    DispatchMap,
    Finalizer,
    OptionalFields,
    SealedSlots,
    GenericDefinition,
    GenericComposition,
    FunctionParameters
  };

  Address memberAddress(const AotMethodTable& type, Member member) const;
  std::uint32_t pointerBytes(const AotMethodTable& type) const;
  Result<Address> follow(const AotMethodTable& type, Address pointer) const;
  Result<std::vector<Address>> followAll(const AotMethodTable& type, Address list, std::uint32_t count) const;
  Result<std::uint32_t> arity(Address genericDefinition) const;

  const AddressSpace& m_memory;
  const AotLayout& m_layout;
};

}  // namespace heapscape::engine
