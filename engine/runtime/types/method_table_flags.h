// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// How an instantiation of a generic type came about (enum_flag_GenericsMask, src/coreclr/vm/methodtable.h).
enum class GenericForm : std::uint8_t {
  None,
  Closed,   // over types of the program
  Shared,   // canonical, over System.__Canon: its code serves all instantiations over references
  Typical,  // the definition itself, over its own type parameters
};
GenericForm genericFormOf(const ClrRuntime& runtime, const MethodTable& type);

/// Whether type parameters stand among the type's arguments: there are no objects of it, and it runs no code.
bool isOpen(const ClrRuntime& runtime, const MethodTable& type);

/// Flags2 of a method table, without the token that shares its word since .NET 9. Fails with NotInDump.
Result<std::uint32_t> readFlags2(const ClrRuntime& runtime, const MethodTable& type);

/// Whether the type has a static constructor, as its flags note.
bool hasClassConstructor(const ClrRuntime& runtime, std::uint32_t flags2);

/// The names of all flags that are set, as the runtime has them: "HasFinalizer", "ContainsGCPointers" …
std::vector<std::string> flagNames(const ClrRuntime& runtime, const MethodTable& type, std::uint32_t flags2);

}  // namespace heapscape::engine
