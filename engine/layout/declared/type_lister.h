// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_set>
#include <vector>

#include "layout/declared/metadata_types.h"

namespace heapscape::engine {

/// Collects the types of an assembly that have a layout, as MetadataTypes::allTypesOf gives them.
class TypeLister {
 public:
  TypeLister(MetadataTypes& types, AssemblyId assembly)
      : m_types(types), m_assembly(assembly), m_metadata(*types.assembly(assembly).metadata) {}

  std::vector<ClosedTypeId> list();

 private:
  void addDefinitions();
  void addNamed();
  void addClosure();
  void addSignature(const SignatureType& signature);
  void add(ClosedTypeId type);
  bool countSignature(Bytes signature);

  MetadataTypes& m_types;
  AssemblyId m_assembly;
  const Metadata& m_metadata;
  std::vector<ClosedTypeId> m_list;
  std::unordered_set<ClosedTypeId> m_seen;
  std::size_t m_bytesRead = 0;
};

}  // namespace heapscape::engine
