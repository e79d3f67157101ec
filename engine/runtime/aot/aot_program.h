// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "runtime/aot/aot_code.h"
#include "runtime/aot/aot_debug_file.h"
#include "runtime/aot/aot_layout.h"
#include "runtime/aot/aot_method_names.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_type_names.h"

namespace heapscape::engine {

/// What the readers of a program that was compiled ahead of time share; not movable, because each part refers to
/// others.
struct AotProgram {
  /// `mapped`: where the program lies, its variables included; `runtimeInstance`: address of the runtime's
  /// RuntimeInstance; `debugged`: the program's file.
  AotProgram(const AddressSpace& memory, const AotLayout& layout, AddressRange mapped, Address runtimeInstance,
             AotDebugFile::Program debugged)
      : program(mapped),
        typeManagers(readTypeManagers(memory, layout, runtimeInstance, findings)),
        methodTables(memory, layout),
        modules(memory, layout, typeManagers, findings),
        names(methodTables, modules),
        methodNames(memory, methodTables, modules, names, findings),
        code(memory, mapped.start),
        debugFile(memory, std::move(debugged), methodTables, modules, names) {}
  AotProgram(const AotProgram&) = delete;
  AotProgram& operator=(const AotProgram&) = delete;

  /// Whether a type lies at an address beyond doubt: it belongs to a module of this program. What holds static fields
  /// belongs to none, and lies in the program itself.
  bool isMethodTable(Address address) const {
    const auto type = methodTables.read(address);
    if (!type) return false;
    if (type->isStaticsBase) return program.contains(address) && type->baseSize % kPointerBytes == 0;
    const auto typeManager = methodTables.typeManager(*type);
    return typeManager && std::ranges::find(typeManagers, *typeManager) != typeManagers.end();
  }

  FindingList findings;
  AddressRange program;
  std::vector<Address> typeManagers;
  AotMethodTables methodTables;
  AotModules modules;
  AotTypeNames names;
  AotMethodNames methodNames;
  AotCode code;
  AotDebugFile debugFile;
};

}  // namespace heapscape::engine
