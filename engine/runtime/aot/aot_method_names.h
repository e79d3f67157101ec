// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "memory/address_space.h"
#include "runtime/aot/aot_type_names.h"

namespace heapscape::engine {

/// The name of a method in its parts.
struct AotMethodName {
  std::string type;        // that declares it; a generic one mostly as "System.Collections.Generic.List<T>"
  std::string method;      // "Map<TResult>"
  std::string parameters;  // "(System.Object, T)"; empty if they are not known

  std::string text() const { return type + "." + method + parameters; }
};

/// Names of methods by where their code begins, out of what the compiler keeps for stack traces (section
/// StackTraceMap, StackTraceMethodMappingNode in src/coreclr/tools/aot): all but those that reflection may call, which
/// it keeps for that (InvokeMap, ReflectionInvokeMapNode), and stubs. A program compiled with StackTraceSupport=false
/// has only the latter. Two methods with the same code share the name of one. Safe from any thread.
class AotMethodNames {
 public:
  /// The others have to live as long as this. What is damaged is left out, with a finding.
  AotMethodNames(const AddressSpace& memory, const AotMethodTables& methodTables, const AotModules& modules,
                 const AotTypeNames& types, FindingList& findings);

  /// nullopt if no method with a name begins there.
  std::optional<AotMethodName> find(Address start) const;
  /// How many methods have a name.
  std::size_t count() const { return m_methods.size(); }

 private:
  struct Method {
    Address start;
    Address methodTable;  // that declares it, of a method that reflection may call
    std::uint32_t module = 0;
    std::uint32_t type = 0;  // that declares it, by its metadata handle, of others
    std::uint32_t name = 0;  // these are places in metadata
    std::uint32_t signature = 0;
    std::uint32_t arguments = 0;  // of the method's own type parameters
  };

  void readStackTraceMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings);
  void readInvokeMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings);
  std::optional<AotMethodName> traceName(const Method& method) const;
  std::optional<AotMethodName> invokeName(const Method& method) const;

  const AotMethodTables& m_methodTables;
  const AotModules& m_modules;
  const AotTypeNames& m_types;
  std::vector<Method> m_methods;  // by start
};

}  // namespace heapscape::engine
