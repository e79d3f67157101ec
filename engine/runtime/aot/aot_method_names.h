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
  std::string type;        // that declares it: "System.Collections.Generic.List<T>", whatever it runs for
  std::string method;      // "Map<TResult>"
  std::string parameters;  // "(System.Object, T)"; empty if they are not known

  std::string text() const { return type + "." + method + parameters; }
};

/// Names of methods by where their code begins, out of what the compiler keeps for stack traces (section
/// StackTraceMap, StackTraceMethodMappingNode in src/coreclr/tools/aot): methods of nearly all code, unless the program
/// was compiled with StackTraceSupport=false. Two methods with the same code may share a name. Safe from any thread.
class AotMethodNames {
 public:
  /// `modules` has to live as long as this. What is damaged is left out, with a finding.
  AotMethodNames(const AddressSpace& memory, const AotModules& modules, FindingList& findings);

  /// nullopt if no method with a name begins there.
  std::optional<AotMethodName> find(Address start) const;
  /// How many methods have a name.
  std::size_t count() const { return m_methods.size(); }

 private:
  struct Method {
    Address start;
    std::uint32_t module = 0;
    std::uint32_t type = 0;  // a metadata handle
    std::uint32_t name = 0;  // these are places in metadata
    std::uint32_t signature = 0;
    std::uint32_t arguments = 0;  // of the method's own type parameters
  };

  void readMap(const AddressSpace& memory, std::uint32_t module, AddressRange section, FindingList& findings);

  const AotModules& m_modules;
  std::vector<Method> m_methods;  // by start
};

}  // namespace heapscape::engine
