// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "metadata/signature.h"
#include "runtime/modules/modules.h"
#include "runtime/types/field_descs.h"
#include "runtime/types/loaded_types.h"
#include "runtime/types/method_tables.h"
#include "runtime/types/type_names.h"

namespace heapscape::engine {

/// Where a signature's tokens and type parameters are to be understood: a module and the arguments of the declaring
/// type, and of the method if it is a method's.
struct SignatureContext {
  const Module* module = nullptr;
  std::vector<TypeHandle> arguments = {};
  std::vector<TypeHandle> methodArguments = {};
};

/// Turns the types of signatures into names and loaded method tables.
class TypeResolver {
 public:
  TypeResolver(const MethodTables& methodTables, const Modules& modules, const LoadedTypes& loadedTypes,
               const TypeNames& names);

  std::string nameOf(const SignatureType& type, const SignatureContext& context) const;
  /// The name of a field's type; empty if nothing tells of it.
  std::string nameOf(const FieldDesc& field, const SignatureContext& context) const;
  /// The method table or TypeDesc of a type; null if it is not loaded or cannot be found. An instantiation over
  /// references that exists only in its shared form gives that form, whose layout is the same.
  TypeHandle find(const SignatureType& type, const SignatureContext& context) const;
  TypeHandle find(const FieldDesc& field, const SignatureContext& context) const;

 private:
  struct Definition {
    const Module* module = nullptr;
    std::uint32_t row = 0;
  };
  TypeHandle findNested(const SignatureType& type, const SignatureContext& context, std::size_t depth) const;
  TypeHandle findInstantiation(const SignatureType& type, const SignatureContext& context, std::size_t depth) const;
  std::optional<Definition> definitionOf(Token token, const Module& module) const;
  std::optional<Definition> definitionOfReference(std::uint32_t typeRefRow, const Module& module) const;
  std::optional<Definition> resolveReference(std::uint32_t typeRefRow, const Module& module) const;
  std::optional<Definition> findInAssembly(std::string_view assembly, const std::string& fullName,
                                           std::size_t depth) const;
  TypeHandle canonicalArgument(TypeHandle argument) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  const LoadedTypes& m_loadedTypes;
  const TypeNames& m_names;
  const TypeHandle m_canon;  // System.__Canon; null if it is not known

  /// Types that a façade forwards: rows of its ExportedType table, by the hash of the outermost full name.
  using Forwards = std::unordered_multimap<std::size_t, std::uint32_t>;
  std::string_view forwardedTo(const Metadata& metadata, std::string_view outermost) const;

  struct ReferenceHash {
    std::size_t operator()(const std::pair<const Module*, std::uint32_t>& reference) const noexcept {
      return std::hash<const Module*>{}(reference.first) * 31 + reference.second;
    }
  };
  mutable std::shared_mutex m_mutex;
  mutable std::unordered_map<std::pair<const Module*, std::uint32_t>, std::optional<Definition>, ReferenceHash>
      m_references;  // by module and row of its TypeRef table
  mutable std::map<const Metadata*, Forwards> m_forwards;
};

}  // namespace heapscape::engine
