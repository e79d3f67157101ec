// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout/declared/assembly_list.h"
#include "layout/declared/declared_types.h"

namespace heapscape::engine {

/// Types read from the metadata of assemblies; assemblies are looked for when a type first needs them.
class MetadataTypes : public DeclaredTypes {
 public:
  explicit MetadataTypes(std::shared_ptr<AssemblyFinder> finder);
  ~MetadataTypes() override;

  /// An assembly that is at hand; a later one of the same name has types of its own, and references find the first.
  AssemblyId add(AssemblySource assembly);
  const AssemblySource& assembly(AssemblyId id) const;
  std::size_t assemblyCount() const;
  /// The assembly of that name, looked for if it is not there yet. Fails as AssemblyFinder::find does, each time alike.
  Result<AssemblyId> findAssembly(std::string_view simpleName);

  using MissingAssembly = AssemblyList::Missing;
  /// Assemblies that were needed and not found.
  const std::vector<MissingAssembly>& missing() const;

  /// Fails with NotFound or BadQuery, as when the number of arguments is not the definition's.
  Result<ClosedTypeId> instantiate(AssemblyId assembly, std::uint32_t typeDefRow,
                                   std::span<const ClosedTypeId> arguments);
  Result<ClosedTypeId> arrayOf(ClosedTypeId element, std::uint32_t rank, bool isSzArray);
  /// `kind`: Ptr or ByRef.
  Result<ClosedTypeId> pointerTo(ClosedTypeId target, ElementType kind);
  /// `parts`: what it returns, then its parameters.
  Result<ClosedTypeId> functionPointer(std::vector<ClosedTypeId> parts);
  Result<ClosedTypeId> primitive(ElementType element);
  /// The type of a signature inside an assembly, with these type arguments. Fails with NotFound or Damaged.
  Result<ClosedTypeId> resolve(AssemblyId assembly, const SignatureType& signature,
                               std::span<const ClosedTypeId> arguments);
  /// By name, in the runtime's form "N.Outer<X>+Inner<Y, Z>" or metadata's "N.Outer`1+Inner`2<X,Y,Z>"; definitions are
  /// looked for in `home` first, then in what it references. An open definition's own name fails with BadQuery.
  Result<ClosedTypeId> parse(AssemblyId home, std::string_view name);
  /// Every type of an assembly that has a layout: definitions without parameters, then the generic types that its
  /// signatures and TypeSpec rows name without open parameters, then the closed types those hold by value or derive
  /// from. Interfaces are left out.
  std::vector<ClosedTypeId> allTypesOf(AssemblyId assembly);
  /// Definitions with parameters, of which only closed forms have a layout: by name.
  std::vector<std::string> openDefinitionsOf(AssemblyId assembly) const;

  const ClosedType& type(ClosedTypeId id) const override;
  Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) override;
  const std::string& nameOf(ClosedTypeId id) override;
  std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) override;
  const std::string& assemblyName(AssemblyId assembly) const override;
  bool sharesVersionBubble(AssemblyId assembly, AssemblyId other) const override;
  bool isReadyToRun(AssemblyId assembly) const override;
  const Metadata* metadataOf(AssemblyId assembly) const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
