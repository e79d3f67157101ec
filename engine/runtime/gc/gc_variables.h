// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What the GC publishes for debuggers (GcDacVars, src/coreclr/gc/gcinterface.dacvars.def): addresses of its variables,
/// and for a server GC offsets of members of its heaps. Workstation has variables where server has members.
class GcVariables {
 public:
  /// `variables`: of the structure itself.
  GcVariables(const ClrRuntime& runtime, Address variables) : m_runtime(&runtime), m_variables(variables) {}
  /// Fails with NotInDump or NotFound.
  static Result<GcVariables> of(const ClrRuntime& runtime);

  Address address() const { return m_variables; }
  /// Where a variable lies; 0 if this GC has none of that name.
  Result<Address> variable(std::string_view name) const { return m_runtime->pointerAt(m_variables, "GcDacVars", name); }
  /// The pointer in a variable.
  Result<Address> valueOf(std::string_view name) const;
  /// A number that the structure itself holds.
  template <class T>
  Result<T> number(std::string_view name) const {
    return m_runtime->valueAt<T>(m_variables, "GcDacVars", name);
  }

  /// Where a gc_heap of a server GC lies.
  Result<Address> heapAt(std::uint32_t heap) const;
  /// Where one of its members lies; fails with NotFound if it has none of that name.
  Result<Address> memberOfHeap(std::uint32_t heap, std::string_view field) const;
  /// The same for either GC: variables of a workstation GC belong to its only heap.
  Result<Address> placeOf(bool isServer, std::uint32_t heap, std::string_view name) const;

 private:
  const ClrRuntime* m_runtime;
  Address m_variables;
};

}  // namespace heapscape::engine
