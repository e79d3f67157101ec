// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/aot/aot_statics.h"
#include "runtime/modules/modules.h"
#include "runtime/types/field_descs.h"

namespace heapscape::engine {

/// Where the static fields of one type lie, or its thread statics on one thread. Fields' offsets count from the starts
/// of two areas: one for references and boxed value types, one for all others.
struct StaticsArea {
  Address references;  // 0 if the area does not exist
  Address others;      // 0 if the area does not exist
  bool isInitialised = false;

  /// The field's slot; 0 if its area does not exist.
  Address slotOf(const FieldDesc& field) const {
    const Address start = isAmongReferences(field) ? references : others;
    return start ? start + field.offset : Address{};
  }
  /// Whether the field lies in the first area; of a value type a reference to a box does, unless it is unboxed.
  static bool isAmongReferences(const FieldDesc& field) {
    if (field.isUnboxed) return field.isAmongReferences;
    return field.elementType == ElementType::Class || field.elementType == ElementType::ValueType;
  }
};

/// Storage of .NET 8 for the static fields of one module's types: a DomainLocalModule, or a thread's ThreadLocalModule
/// (src/coreclr/vm/appdomain.hpp, threadstatics.h). Generic types and those made at run time have an entry of their
/// own, all others a flag byte.
class ModuleStatics {
 public:
  /// `structure`: "DomainLocalModule" or "ThreadLocalModule".
  ModuleStatics(const MethodTables& methodTables, const FieldDescs& fields, std::string_view structure, Address statics)
      : m_methodTables(methodTables), m_fields(fields), m_structure(structure), m_statics(statics) {}

  struct Entry {
    Address address;  // 0 if it is not allocated
    bool isInitialised = false;
  };

  /// Gives nullopt for a type without an entry of its own.
  Result<std::optional<std::uint32_t>> entryIdOf(const MethodTable& type) const;
  Result<Entry> entry(std::uint32_t id) const;
  /// Whether a type without an entry has run its initialiser.
  Result<bool> isInitialised(const MethodTable& type) const;
  /// The areas that a collectible type's entry names; whether they are initialised is left open.
  Result<StaticsArea> collectibleArea(const Entry& entry, const MethodTable& type) const;

 private:
  Result<Address> targetOfLoaderHandle(std::uint64_t handle, const MethodTable& type) const;

  const MethodTables& m_methodTables;
  const FieldDescs& m_fields;
  std::string_view m_structure;
  Address m_statics;
};

/// Finds the storage of static fields that all threads share, of each generic instantiation for itself.
class StaticFields {
 public:
  StaticFields(const MethodTables& methodTables, const Modules& modules, const FieldDescs& fields)
      : m_methodTables(methodTables), m_modules(modules), m_fields(fields) {}

  /// Initialised: the type's constructor has run, where it has one. A type that was never used has no areas. Fails with
  /// NotInDump or Damaged.
  Result<StaticsArea> areaOf(const MethodTable& type) const;
  /// The objects that hold the static fields of classes whose names nothing tells, as a program compiled ahead of time
  /// has them; no others have any.
  std::vector<StaticsHolder> unnamedHolders(FindingList& findings) const;
  /// Where a field that was initialised from the image lies. Fails with NotFound, NotInDump or Damaged.
  Result<Address> addressOfRva(const FieldDesc& field, const MethodTable& type) const;

 private:
  Result<StaticsArea> areaBesideMethodTable(const MethodTable& type) const;
  Result<StaticsArea> areaInModule(const MethodTable& type) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  const FieldDescs& m_fields;
};

/// Finds the storage of thread statics: [ThreadStatic] fields, which each thread has for itself once it has used them.
class ThreadStatics {
 public:
  ThreadStatics(const MethodTables& methodTables, const FieldDescs& fields)
      : m_methodTables(methodTables), m_fields(fields) {}

  /// The area of a type that has thread statics, on one thread. Initialised: the thread has used them; on .NET 8 the
  /// storage may be there before. Fails with NotInDump or Damaged.
  Result<StaticsArea> areaOf(const MethodTable& type, Address thread) const;
  /// See StaticFields.
  std::vector<StaticsHolder> unnamedHolders(Address thread) const;

 private:
  Result<StaticsArea> areaInThread(const MethodTable& type, Address thread) const;
  Result<Address> storageOf(std::uint32_t tlsIndex, Address thread) const;
  Result<Address> storageInBlock(std::uint32_t tlsIndex, Address block) const;
  Result<Address> storageInFlight(std::uint32_t tlsIndex, Address block) const;
  Result<StaticsArea> areaInModule(const MethodTable& type, Address thread) const;
  Result<Address> arrayBehindHandle(Address handle) const;

  const MethodTables& m_methodTables;
  const FieldDescs& m_fields;
};

}  // namespace heapscape::engine
