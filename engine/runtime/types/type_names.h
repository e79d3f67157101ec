// SPDX-License-Identifier: MIT
#pragma once

#include <shared_mutex>
#include <string>

#include "base/limits.h"
#include "runtime/modules/modules.h"
#include "runtime/types/kept_type_names.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Full names of loaded types, as the runtime's own diagnostics write them:
/// "System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry[]".
class TypeNames {
 public:
  /// `mostBytes`: of all names together that are kept whole.
  TypeNames(const MethodTables& methodTables, const Modules& modules, std::size_t mostBytes = kLimits.typeNamesBytes)
      : m_methodTables(methodTables), m_modules(modules), m_names(mostBytes) {}

  /// Never fails: a type whose metadata is missing is named by its module and token ("Shop.dll!0x02000012"), one that
  /// cannot be read at all by its address. Found out once. Safe from any thread; the name lives as long as this object.
  const std::string& nameOf(TypeHandle handle) const;
  /// The name of its definition as metadata spells it, "System.Collections.Generic.List`1"; empty for arrays, and where
  /// the metadata is missing.
  std::string definitionName(const MethodTable& type) const;

  /// How many of the names given out were cut, because all names would have been too long together; they say so
  /// themselves, and have the type's address in place of the rest.
  std::size_t cutNames() const;

 private:
  const std::string& nameOfNested(TypeHandle handle, std::size_t depth) const;
  std::string nameOfMethodTable(TypeHandle handle, std::size_t depth) const;
  std::string nameOfArray(const MethodTable& array, std::size_t depth) const;
  std::string nameOfContinuation(const MethodTable& type) const;
  std::string nameOfTypeDesc(TypeHandle handle, std::size_t depth) const;
  std::string nameOfTypeVariable(Address typeDesc) const;
  std::string nameOfFunctionPointer(Address typeDesc, std::size_t depth) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  mutable std::shared_mutex m_mutex;
  mutable KeptTypeNames m_names;
};

}  // namespace heapscape::engine
