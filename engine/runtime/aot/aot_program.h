// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "runtime/aot/aot_layout.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_type_names.h"

namespace heapscape::engine {

/// What the readers of a program that was compiled ahead of time share; not movable, because each part refers to
/// others.
struct AotProgram {
  /// `runtimeInstance`: address of the runtime's RuntimeInstance.
  AotProgram(const AddressSpace& memory, const AotLayout& layout, Address runtimeInstance)
      : typeManagers(readTypeManagers(memory, layout, runtimeInstance, findings)),
        methodTables(memory, layout),
        modules(memory, layout, typeManagers, findings),
        names(methodTables, modules) {}
  AotProgram(const AotProgram&) = delete;
  AotProgram& operator=(const AotProgram&) = delete;

  FindingList findings;
  std::vector<Address> typeManagers;
  AotMethodTables methodTables;
  AotModules modules;
  AotTypeNames names;
};

}  // namespace heapscape::engine
