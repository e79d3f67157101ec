// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/modules/modules.h"
#include "runtime/types/field_descs.h"
#include "runtime/types/method_tables.h"
#include "runtime/types/type_names.h"

namespace heapscape::engine {

struct RuntimeReaders;

/// Names the AssemblyLoadContexts that modules were loaded into.
class LoadContexts {
 public:
  LoadContexts(const MethodTables& methodTables, const Modules& modules, const FieldDescs& fields,
               const TypeNames& names)
      : m_methodTables(methodTables), m_modules(modules), m_fields(fields), m_names(names) {}

  /// "default"; the name that the program gave the context, else its type's name; empty if it cannot be told, as for
  /// modules made at run time.
  std::string nameOf(const Module& module) const;
  /// The runtime's AssemblyBinder of the context, one for each; 0 for modules made at run time.
  Result<Address> binderOf(const Module& module) const;

 private:
  std::string nameOfContext(Address object) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  const FieldDescs& m_fields;
  const TypeNames& m_names;
};

/// An AssemblyLoadContext.
struct LoadContext {
  std::string name;            // as LoadContexts::nameOf() has it
  Address object;              // 0 for the default one, and where it cannot be told
  bool isCollectible = false;  // it can be unloaded
};

/// The module whose context a type lives with: of an instantiation that of the argument which ties it down; null if it
/// cannot be told.
const Module* moduleLivedWith(const RuntimeReaders& readers, const MethodTable& type);
LoadContext contextOf(const RuntimeReaders& readers, const Module& module);
/// The context that a type lives with.
LoadContext contextOfType(const RuntimeReaders& readers, const MethodTable& type);

/// The AssemblyLoadContext object that a type lives with, the default one's too; 0 if the program never made it.
Address loadContextObjectOf(const RuntimeReaders& readers, const MethodTable& type);

/// Its name, of a collectible one with its address, since programs have many of one name: "plugins 0x7f…".
std::string textOf(const LoadContext& context);

}  // namespace heapscape::engine
