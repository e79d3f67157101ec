// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "runtime/statics/statics_area.h"

namespace heapscape::engine {

/// What .NET 8 keeps for the static fields of one module's types: a DomainLocalModule, or a thread's ThreadLocalModule
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

  /// Nothing for a type without an entry of its own.
  Result<std::optional<std::uint32_t>> entryIdOf(const MethodTable& type) const;
  Result<Entry> entry(std::uint32_t id) const;
  /// Of a type without an entry.
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

}  // namespace heapscape::engine
