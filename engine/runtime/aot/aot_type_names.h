// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "base/limits.h"
#include "runtime/aot/aot_metadata.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_sections.h"
#include "runtime/types/kept_type_names.h"

namespace heapscape::engine {

/// The metadata of all compiled modules of a program, and which MethodTable has which of it.
class AotModules {
 public:
  /// `typeManagers`: as readTypeManagers() gives them. A module whose metadata is missing or damaged is left out, with
  /// a finding; kernel cores lack it unless the program's file is there.
  AotModules(const AddressSpace& memory, const AotLayout& layout, std::span<const Address> typeManagers,
             FindingList& findings);

  struct Module {
    Address typeManager;
    AotSections sections;
    AotMetadata metadata;
  };
  const std::vector<Module>& items() const { return m_modules; }

  /// The name that metadata has of a MethodTable's definition, "N.Outer`1+Inner"; empty if none has it.
  std::string definitionName(Address methodTable) const;
  /// The names of its type parameters; empty unless a generic definition that has metadata.
  std::vector<std::string> typeParameters(Address methodTable) const;
  /// See AotMetadata::declared(); nullopt if no definition tells of the type.
  std::optional<AotMetadata::Declared> declared(Address methodTable) const;
  /// See AotMetadata::hasAttribute().
  std::optional<bool> hasAttribute(Address methodTable, std::string_view fullName) const;
  /// The MethodTable of a type that is not generic, by its full name; 0 if no module has one.
  Address methodTableNamed(std::string_view name) const;
  /// How many MethodTables have metadata.
  std::size_t typeCount() const { return m_definitions.size(); }

 private:
  struct Definition {
    std::uint32_t module = 0;
    AotHandle type;
  };

  void readTypeMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings);

  std::vector<Module> m_modules;
  std::unordered_map<Address, Definition> m_definitions;
};

/// Full names of the types of a program that was compiled ahead of time, spelled as those of others:
/// "System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry[]".
class AotTypeNames {
 public:
  /// The others have to live as long as this. `mostBytes`: of all names together that are kept whole.
  AotTypeNames(const AotMethodTables& methodTables, const AotModules& modules,
               std::size_t mostBytes = kLimits.typeNamesBytes)
      : m_methodTables(methodTables), m_modules(modules), m_names(mostBytes) {}

  /// Never fails: a type without metadata is named by its address, "<unknown type 0x5581c2a05e48>"; what holds static
  /// fields, which has no name and is shared by classes, "<static fields of 24 bytes>". Safe from any thread; the
  /// name lives as long as this object.
  const std::string& nameOf(Address methodTable) const;

  /// How many of the names given out were cut, because all names would have been too long together; they say so
  /// themselves, and have the type's address in place of the rest.
  std::size_t cutNames() const;

 private:
  const std::string& nameOfNested(Address methodTable, std::size_t depth) const;
  std::string composedName(Address methodTable, std::size_t depth) const;
  std::string instanceName(const AotMethodTable& type, std::size_t depth) const;
  std::string functionPointerName(const AotMethodTable& type, std::size_t depth) const;

  const AotMethodTables& m_methodTables;
  const AotModules& m_modules;
  mutable std::shared_mutex m_mutex;
  mutable KeptTypeNames m_names;
};

}  // namespace heapscape::engine
