// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metadata/signature.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Where an object's fields begin, from its address: behind the method table pointer.
inline constexpr std::uint32_t kFieldsStart = kPointerBytes;
/// Where the elements of an array of one dimension begin: behind the count, too.
inline constexpr std::uint32_t kElementsOffset = 2 * kPointerBytes;

class AotMethodTables;

/// The head of a runtime type: what every object points to (src/coreclr/vm/methodtable.h; of a program that was
/// compiled ahead of time runtime/aot/aot_method_table.h).
struct MethodTable {
  Address address;
  std::uint32_t flags = 0;
  std::uint32_t baseSize = 0;       // bytes of an object without elements: header and method table pointer included
  std::uint32_t componentSize = 0;  // bytes of an array element or character; 0 for others
  Address parent;
  Address canonical;  // the method table that owns the EEClass; itself unless a shared instantiation
  Address eeClass;    // 0 of a program compiled ahead of time, which has none

  bool hasComponentSize = false;
  bool containsPointers = false;
  bool isCollectible = false;
  bool isArray = false;    // of any rank
  bool isSzArray = false;  // one dimension from 0
  bool isInterface = false;
  bool isValueType = false;  // also enums, primitives and Nullable
  bool isNullable = false;
  bool isPrimitive = false;  // a value type of the core library that is one number, character or truth value
  bool isGenericInstance = false;
  /// Made by the runtime for the locals of suspended async methods (.NET 11): of a shape, not of a name in metadata.
  bool isContinuation = false;
};

/// A pointer that the runtime uses for a type: a method table, or a TypeDesc (pointers, type variables) with bit 1 set.
using TypeHandle = Address;

/// Reads method tables and what hangs on them. Every call reads the dump; nothing is cached.
class MethodTables {
 public:
  explicit MethodTables(const ClrRuntime& runtime);

  /// Fails with NotInDump, or Damaged where the method table and its EEClass do not name each other.
  Result<MethodTable> read(Address address) const;
  /// Whether something that claims to be a method table really is one.
  bool isMethodTable(Address address) const;

  /// The Module that defines the type (for arrays: of the element type).
  Result<Address> module(const MethodTable& type) const;
  Result<Address> loaderModule(const MethodTable& type) const;
  /// Row in the module's TypeDef table; 0 for arrays.
  Result<std::uint32_t> typeDefRow(const MethodTable& type) const;
  /// Empty unless an instantiation of a generic type.
  Result<std::vector<TypeHandle>> typeArguments(const MethodTable& type) const;
  Result<TypeHandle> arrayElementType(const MethodTable& array) const;
  Result<std::uint32_t> arrayRank(const MethodTable& array) const;
  /// The element type that the EEClass gives: an enum's underlying type, a primitive's own.
  Result<ElementType> normalisedElementType(const MethodTable& type) const;
  /// Bytes of an unboxed value: fields without the header, the method table pointer and the rounding of the box.
  Result<std::uint32_t> valueSize(const MethodTable& type) const;

  bool isTypeDesc(TypeHandle handle) const;
  /// Whether the handle stands for a parameter of a generic type or method, as in open types.
  bool isTypeVariable(TypeHandle handle) const;
  const ClrRuntime& runtime() const { return m_runtime; }

  /// .NET 8: where an optional member lies that a flag of Flags2 tells of.
  Result<Address> multipurposeSlot(Address methodTable, std::uint64_t flag) const;
  /// Bytes of the method table itself with the pointers to its vtable's chunks, which lie behind it.
  Result<std::uint64_t> sizeWithVtableChunks(Address methodTable) const;

 private:
  Result<Address> moduleThroughOverride(const MethodTable& type) const;

  const ClrRuntime& m_runtime;
  const AotMethodTables* m_aot;  // null of CoreCLR
  std::uint64_t m_flags, m_baseSize, m_parent, m_classOrCanonical, m_classMethodTable;
  std::uint64_t m_hasComponentSize, m_componentSizeMask, m_containsPointers, m_collectible;
  std::uint64_t m_arrayMask, m_arrayValue, m_categoryMask, m_szArray, m_interface, m_valueType, m_nullable, m_primitive;
  std::uint64_t m_genericsMask;
  std::uint64_t m_canonicalBit, m_typeDescBit;
  Address m_enumType = {};           // of a program compiled ahead of time
  Address m_continuationClass = {};  // the EEClass that all continuations share; 0 until there is one
};

struct InterfaceMap {
  Address address;  // 0 if the type implements no interface
  std::vector<Address> interfaces;
  std::uint32_t sizeBytes = 0;
};

/// The interfaces that a type implements, those of its parents and of other interfaces too, in the runtime's order. A
/// generic interface over the type itself may stand there in its open form. Fails with NotInDump.
Result<InterfaceMap> readInterfaceMap(const ClrRuntime& runtime, const MethodTable& type);

/// How an instantiation of a generic type came about (enum_flag_GenericsMask, src/coreclr/vm/methodtable.h).
enum class GenericForm : std::uint8_t {
  None,
  Closed,   // over types of the program
  Shared,   // canonical, over System.__Canon: its code serves all instantiations over references
  Typical,  // the definition itself, over its own type parameters
};
GenericForm genericFormOf(const ClrRuntime& runtime, const MethodTable& type);

/// Whether type parameters stand among the type's arguments: there are no objects of it, and it runs no code.
bool isOpen(const ClrRuntime& runtime, const MethodTable& type);

/// Flags2 of a method table, without the token that shares its word since .NET 9. Fails with NotInDump.
Result<std::uint32_t> readFlags2(const ClrRuntime& runtime, const MethodTable& type);

/// Whether the type has a static constructor, as its flags note.
bool hasClassConstructor(const ClrRuntime& runtime, std::uint32_t flags2);

/// The names of all flags that are set, as the runtime has them: "HasFinalizer", "ContainsGCPointers" …
std::vector<std::string> flagNames(const ClrRuntime& runtime, const MethodTable& type, std::uint32_t flags2);

}  // namespace heapscape::engine
