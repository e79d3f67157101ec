// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "layout/declared/metadata_types.h"
#include "layout/rules/rule_set.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// The types of a dump as closed types: its modules are the assemblies of a MetadataTypes.
class DumpTypes {
 public:
  /// Adds every module that has metadata; both must outlive this object.
  DumpTypes(const RuntimeReaders& readers, MetadataTypes& types);

  /// The runtime that laid the dump's types out, as far as CoreLib and a loaded Vector<T> tell.
  LayoutRuntime runtime() const;
  /// The type of a method table or TypeDesc. Fails with NotFound if the metadata of its module is missing, with
  /// BadQuery for a type that is open, or with NotInDump or Damaged.
  Result<ClosedTypeId> closedTypeOf(TypeHandle handle);
  /// None if the module has no metadata.
  AssemblyId assemblyOf(const Module& module);

 private:
  Result<ClosedTypeId> close(TypeHandle handle, std::size_t depth);
  Result<ClosedTypeId> closeMethodTable(TypeHandle handle, std::size_t depth);
  Result<ClosedTypeId> closeTypeDesc(TypeHandle handle, std::size_t depth);
  Result<ClosedTypeId> closeFunctionPointer(Address typeDesc, std::size_t depth);

  const RuntimeReaders& m_readers;
  MetadataTypes& m_types;
  std::unordered_map<Address, AssemblyId> m_assemblies;  // by module
  std::unordered_map<TypeHandle, ClosedTypeId> m_closed;
};

/// A module's metadata as an assembly; null metadata if it is missing.
AssemblySource assemblySourceOf(const RuntimeReaders& readers, const Module& module);

}  // namespace heapscape::engine
