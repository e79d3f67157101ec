// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/clr_runtime.h"
#include "runtime/modules/modules.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Content of one of a module's hash tables: of `AvailableTypeParams` the handles of constructed types, of
/// `InstMethodHashTable` MethodDescs with flags in their low bits (EETypeHashTable and InstMethodHashTable, both of
/// src/coreclr/vm/dacenumerablehash.h). Empty if the module has none, or it cannot be read; damage ends it.
std::vector<Address> readHandleHashTable(const ClrRuntime& runtime, Address module, std::string_view table);

/// The method tables that the runtime has loaded: by definition, and generic instantiations by their arguments.
class LoadedTypes {
 public:
  LoadedTypes(const MethodTables& methodTables, const Modules& modules)
      : m_methodTables(methodTables), m_modules(modules) {}

  /// The method table of a TypeDef row; null if it is not loaded. For a generic type its open form.
  Address definition(const Module& module, std::uint32_t typeDefRow) const;
  /// The loaded instantiation of a generic definition with exactly these arguments; null if there is none.
  Address instantiation(const Module& module, std::uint32_t typeDefRow, const std::vector<TypeHandle>& arguments) const;
  /// The type of the core library that has that full name and is not generic; null if it is not loaded.
  Address libraryType(std::string_view fullName) const;
  /// All method tables: definitions that are not generic, instantiations and constructed types, in no order. Of a
  /// program compiled ahead of time those that its debugging information tells of.
  std::vector<Address> all() const;

 private:
  struct InstantiationKey {
    Address module;
    std::uint32_t row = 0;
    std::vector<TypeHandle> arguments;
    bool operator==(const InstantiationKey&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const InstantiationKey& key) const noexcept;
  };
  using DefinitionMap = std::vector<Address>;  // index: TypeDef row

  const DefinitionMap& definitionsOf(const Module& module) const;
  DefinitionMap readDefinitions(const Module& module) const;
  void readInstantiations() const;
  std::vector<TypeHandle> readInstantiationTable(const Module& module) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  mutable std::recursive_mutex m_mutex;
  mutable std::unordered_map<Address, DefinitionMap> m_definitions;
  mutable bool m_hasInstantiations = false;
  mutable std::vector<Address> m_constructed;
  mutable std::unordered_map<InstantiationKey, Address, KeyHash> m_instantiations;
};

}  // namespace heapscape::engine
