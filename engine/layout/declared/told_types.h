// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layout/declared/declared_types.h"
#include "layout/rules/rule_set.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// The types of a program that was compiled ahead of time, as its debugging information tells of them. That has no
/// attributes: where the program itself has none of a type either, they are those by which the rules give what it has.
class ToldTypes : public DeclaredTypes {
 public:
  /// `readers` must outlive this object.
  explicit ToldTypes(const RuntimeReaders& readers);
  ~ToldTypes() override;

  /// The runtime that laid the types out, as far as a compiled Vector<T> tells.
  const LayoutRuntime& runtime() const { return m_runtime; }
  /// The type of a method table. Fails with NotFound where nothing tells of it, with NotInDump or Damaged.
  Result<ClosedTypeId> closedTypeOf(TypeHandle handle);
  /// By full name, of those that the debugging information tells of. Fails with NotFound.
  Result<ClosedTypeId> find(std::string_view name);

  const ClosedType& type(ClosedTypeId id) const override { return m_types[id.value].type; }
  /// Fails with NotFound also where the rules give by no attributes what the program has.
  Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) override;
  const std::string& nameOf(ClosedTypeId id) override;
  std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) override;
  const std::string& assemblyName(AssemblyId assembly) const override { return m_assemblies[assembly.value]; }
  bool sharesVersionBubble(AssemblyId, AssemblyId) const override { return true; }
  bool isReadyToRun(AssemblyId) const override { return false; }

 private:
  struct Type {
    ClosedType type;
    TypeHandle handle;
    std::string name;      // once it was asked for
    ToldDeclaration told;  // once it was asked for; texts of the declaration lie in it
    std::optional<Result<TypeDeclaration>> declaration;
  };

  Result<ClosedTypeId> add(TypeHandle handle, ClosedType type);
  Result<ClosedTypeId> closedArray(const MethodTable& type, TypeHandle handle);
  AssemblyId assemblyNamed(const std::string& name);
  Result<TypeDeclaration> read(const Type& type, const MethodTable& methodTable);
  Result<void> settle(ClosedTypeId id, const MethodTable& methodTable, const TypeDeclaration& read);
  bool isAsCompiled(ClosedTypeId id, const MethodTable& methodTable);

  const RuntimeReaders& m_readers;
  LayoutRuntime m_runtime;
  std::deque<Type> m_types;
  std::unordered_map<TypeHandle, ClosedTypeId> m_closed;
  std::deque<std::string> m_assemblies;  // by simple name; empty of types of which nothing tells it
  std::unordered_map<std::string, std::uint32_t> m_definitions;  // their numbers, by the linker's name
  std::unordered_map<std::string_view, TypeHandle> m_byName;     // of all that are told of
  std::size_t m_depth = 0;
};

}  // namespace heapscape::engine
