// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "layout/declared/assembly_list.h"
#include "layout/declared/closed_type_table.h"
#include "layout/declared/type_declaration.h"

namespace heapscape::engine {

/// Names of closed types in the runtime's form, each made once.
class TypeNamer {
 public:
  TypeNamer(const AssemblyList& assemblies, const ClosedTypeTable& types) : m_assemblies(assemblies), m_types(types) {}

  const std::string& nameOf(ClosedTypeId id);
  std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field);

 private:
  std::string makeName(const ClosedType& type);
  std::string functionPointerName(const ClosedType& type);

  const AssemblyList& m_assemblies;
  const ClosedTypeTable& m_types;
  std::vector<std::unique_ptr<const std::string>> m_names;  // by number
  std::size_t m_bytes = 0;
};

}  // namespace heapscape::engine
