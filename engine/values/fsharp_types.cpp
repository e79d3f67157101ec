// SPDX-License-Identifier: MIT
#include "values/fsharp_types.h"

#include <utility>

#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kFrameworkNames = "System.";
constexpr std::string_view kCollectionNames = "Microsoft.FSharp.Collections.";

/// The record or union that an instance belongs to; the class of a case derives from its union.
std::optional<FSharpType> typeOf(const RuntimeReaders& readers, const TypeShapes& shapes, const TypeShape& shape) {
  if (shape.name.starts_with(kFrameworkNames) || shape.name.starts_with(kCollectionNames)) return std::nullopt;
  auto type = readFSharpType(readers, shape.type);
  if (type || shape.type.isValueType || !shape.type.parent) return type;
  const TypeShape* parent = shapes.find(shape.type.parent);
  if (parent && !parent->name.starts_with(kFrameworkNames)) type = readFSharpType(readers, parent->type);
  return type && type->isUnion ? type : std::nullopt;
}

/// By the class of the instance, or because no other case has any fields.
const FSharpType::Case* onlyCaseOf(const FSharpType& type, const RuntimeReaders& readers, const MethodTable& own) {
  const Module* module = readers.modules.definingModule(readers.methodTables, own);
  const auto row = readers.methodTables.typeDefRow(own);
  if (!module || !module->metadata || !row) return nullptr;
  const std::string definition = module->metadata->typeDefName(*row);
  if (definition.size() > type.definition.size() + 1 && definition.starts_with(type.definition)) {
    const std::string_view name = std::string_view(definition).substr(type.definition.size() + 1);
    return type.caseNamed(name.starts_with('_') ? name.substr(1) : name);
  }
  if (type.cases.size() == 1) return &type.cases.front();
  const FSharpType::Case* only = nullptr;
  for (const FSharpType::Case& one : type.cases) {
    if (one.fields.empty()) continue;
    if (only) return nullptr;
    only = &one;
  }
  return only;
}

std::unique_ptr<const FSharpDeclaration> declarationOf(const RuntimeReaders& readers, const TypeShapes& shapes,
                                                       const TypeShape& shape) {
  auto type = typeOf(readers, shapes, shape);
  if (!type) return nullptr;
  auto declaration = std::make_unique<FSharpDeclaration>();
  declaration->type = *std::move(type);
  if (declaration->type.isUnion) declaration->onlyCase = onlyCaseOf(declaration->type, readers, shape.type);
  return declaration;
}

}  // namespace

const FSharpDeclaration* FSharpTypes::find(const RuntimeReaders& readers, const TypeShapes& shapes,
                                           const TypeShape& shape) {
  const std::scoped_lock lock(m_mutex);
  const auto known = m_types.find(shape.type.address);
  if (known != m_types.end()) return known->second.get();
  return m_types.emplace(shape.type.address, declarationOf(readers, shapes, shape)).first->second.get();
}

}  // namespace heapscape::engine
