// SPDX-License-Identifier: MIT
#include "runtime/types/type_resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

// Forwarders of forwarders occur (netstandard → System.Runtime → System.Private.CoreLib); a longer chain is damage.
constexpr std::size_t kMaximumForwards = 8;

// The outermost scope of a possibly nested type reference.
std::optional<Token> outermostScope(const Metadata& metadata, std::uint32_t typeRefRow) {
  for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
    const auto reference = metadata.typeRef(typeRefRow);
    if (!reference) return std::nullopt;
    if (reference->scope.table != TableId::TypeRef) return reference->scope;
    typeRefRow = reference->scope.row;
  }
  return std::nullopt;
}

std::string outermostName(const std::string& fullName) {
  return fullName.substr(0, fullName.find('+'));
}

std::string_view fullNameOf(const ExportedTypeRow& exported, std::string& text) {
  text = exported.nameSpace;
  if (!text.empty()) text += '.';
  return text += exported.name;
}

}  // namespace

TypeResolver::TypeResolver(const MethodTables& methodTables, const Modules& modules, const LoadedTypes& loadedTypes,
                           const TypeNames& names)
    : m_methodTables(methodTables),
      m_modules(modules),
      m_loadedTypes(loadedTypes),
      m_names(names),
      m_canon(methodTables.runtime().globalPointer("CanonMethodTable").value_or(TypeHandle{})) {}

std::string TypeResolver::nameOf(const SignatureType& type, const SignatureContext& context) const {
  if (!context.module || !context.module->metadata) return {};
  const auto nameIn = [this](const std::vector<TypeHandle>& arguments, const char* prefix) {
    return [this, &arguments, prefix](std::uint32_t number) {
      return number < arguments.size() ? m_names.nameOf(arguments[number]) : fmt::format("{}{}", prefix, number);
    };
  };
  return signatureTypeName(*context.module->metadata, type,
                           {.typeParameter = nameIn(context.arguments, "!"),
                            .methodParameter = nameIn(context.methodArguments, "!!"),
                            .typeHandle = [this](std::uint64_t handle) { return m_names.nameOf({handle}); }});
}

TypeHandle TypeResolver::find(const SignatureType& type, const SignatureContext& context) const {
  return context.module && context.module->metadata ? findNested(type, context, 0) : TypeHandle{};
}

std::string TypeResolver::nameOf(const FieldDesc& field, const SignatureContext& context) const {
  const auto type = decodeFieldSignature(field.signature);
  return type ? nameOf(*type, context) : field.typeName;
}

TypeHandle TypeResolver::find(const FieldDesc& field, const SignatureContext& context) const {
  const auto type = field.type ? failure(ErrorCode::NotFound, {}) : decodeFieldSignature(field.signature);
  return type ? find(*type, context) : field.type;
}

TypeHandle TypeResolver::findNested(const SignatureType& type, const SignatureContext& context,
                                    std::size_t depth) const {
  if (depth > kLimits.nestingDepth) return {};
  switch (type.element) {
    case ElementType::Var:
      return type.number < context.arguments.size() ? context.arguments[type.number] : TypeHandle{};
    case ElementType::MVar:
      return type.number < context.methodArguments.size() ? context.methodArguments[type.number] : TypeHandle{};
    case ElementType::GenericInst:
      return findInstantiation(type, context, depth);
    case ElementType::Class:
    case ElementType::ValueType: {
      if (type.token.table == TableId::TypeSpec) {
        const auto signature = context.module->metadata->typeSpec(type.token.row);
        const auto decoded = signature ? decodeTypeSpec(*signature) : failure(ErrorCode::NotFound, {});
        return decoded ? findNested(*decoded, context, depth + 1) : TypeHandle{};
      }
      const auto definition = definitionOf(type.token, *context.module);
      return definition ? m_loadedTypes.definition(*definition->module, definition->row) : TypeHandle{};
    }
    default: {
      const std::string_view name = primitiveName(type.element);
      const Module* coreLibrary = m_modules.coreLibrary();
      if (name.empty() || !coreLibrary || !coreLibrary->metadata) return {};
      return m_loadedTypes.definition(*coreLibrary, coreLibrary->metadata->findTypeDef(name));
    }
  }
}

TypeHandle TypeResolver::findInstantiation(const SignatureType& type, const SignatureContext& context,
                                           std::size_t depth) const {
  const auto definition = definitionOf(type.token, *context.module);
  if (!definition) return {};
  std::vector<TypeHandle> arguments;
  bool allKnown = true;
  for (const SignatureType& part : type.parts) {
    arguments.push_back(findNested(part, context, depth + 1));
    // Arrays, pointers and types that are not loaded are references or unknown; the shared form serves for references.
    allKnown = allKnown && static_cast<bool>(arguments.back());
  }
  if (allKnown) {
    if (const Address exact = m_loadedTypes.instantiation(*definition->module, definition->row, arguments))
      return exact;
  }
  for (TypeHandle& argument : arguments) argument = canonicalArgument(argument);
  return m_loadedTypes.instantiation(*definition->module, definition->row, arguments);
}

// References share one instantiation over System.__Canon (MethodTable::GetCanonicalMethodTable); value types keep their
// own.
TypeHandle TypeResolver::canonicalArgument(TypeHandle argument) const {
  if (!argument) return m_canon;
  if (m_methodTables.isTypeDesc(argument)) return argument;
  const auto type = m_methodTables.read(argument);
  if (!type) return argument;
  return type->isValueType ? type->canonical : m_canon;
}

std::optional<TypeResolver::Definition> TypeResolver::definitionOf(Token token, const Module& module) const {
  if (token.table == TableId::TypeDef) return Definition{&module, token.row};
  if (token.table == TableId::TypeRef) return definitionOfReference(token.row, module);
  return std::nullopt;
}

std::optional<TypeResolver::Definition> TypeResolver::definitionOfReference(std::uint32_t typeRefRow,
                                                                            const Module& module) const {
  const std::pair reference(&module, typeRefRow);
  {
    const std::shared_lock lock(m_mutex);
    const auto known = m_references.find(reference);
    if (known != m_references.end()) return known->second;
  }
  const std::unique_lock lock(m_mutex);
  return m_references.try_emplace(reference, resolveReference(typeRefRow, module)).first->second;
}

std::optional<TypeResolver::Definition> TypeResolver::resolveReference(std::uint32_t typeRefRow,
                                                                       const Module& module) const {
  const Metadata& metadata = *module.metadata;
  const auto scope = outermostScope(metadata, typeRefRow);
  if (!scope) return std::nullopt;
  const std::string fullName = metadata.typeRefName(typeRefRow);
  if (scope->table == TableId::AssemblyRef) {
    const auto assembly = metadata.assemblyRef(scope->row);
    return assembly ? findInAssembly(assembly->name, fullName, 0) : std::nullopt;
  }
  const std::uint32_t row = metadata.findTypeDef(fullName);
  return row ? std::optional(Definition{&module, row}) : std::nullopt;
}

std::optional<TypeResolver::Definition> TypeResolver::findInAssembly(std::string_view assembly,
                                                                     const std::string& fullName,
                                                                     std::size_t depth) const {
  const Module* module = depth < kMaximumForwards ? m_modules.findAssembly(assembly) : nullptr;
  if (module) {
    if (const std::uint32_t row = module->metadata->findTypeDef(fullName)) return Definition{module, row};
    const std::string_view target = forwardedTo(*module->metadata, outermostName(fullName));
    return target.empty() ? std::nullopt : findInAssembly(target, fullName, depth + 1);
  }
  // A façade that was never loaded forwards to CoreLib more often than not.
  const Module* coreLibrary = m_modules.coreLibrary();
  const std::uint32_t row = coreLibrary && coreLibrary->metadata ? coreLibrary->metadata->findTypeDef(fullName) : 0;
  return row ? std::optional(Definition{coreLibrary, row}) : std::nullopt;
}

/// The assembly that a module forwards a type to; empty if it does not.
std::string_view TypeResolver::forwardedTo(const Metadata& metadata, std::string_view outermost) const {
  const auto [entry, isNew] = m_forwards.try_emplace(&metadata);
  Forwards& forwards = entry->second;
  const std::uint32_t rows = isNew ? metadata.rowCount(TableId::ExportedType) : 0;
  std::string fullName;
  for (std::uint32_t row = 1; row <= rows; ++row) {
    const auto exported = metadata.exportedType(row);
    if (!exported || exported->implementation.table != TableId::AssemblyRef) continue;
    forwards.emplace(std::hash<std::string_view>{}(fullNameOf(*exported, fullName)), row);
  }
  const auto [first, last] = forwards.equal_range(std::hash<std::string_view>{}(outermost));
  std::optional<std::uint32_t> row;  // the first of several
  for (auto one = first; one != last; ++one) {
    if (fullNameOf(*metadata.exportedType(one->second), fullName) == outermost)
      row = std::min(row.value_or(one->second), one->second);
  }
  const auto assembly = row ? metadata.assemblyRef(metadata.exportedType(*row)->implementation.row) : std::nullopt;
  return assembly ? assembly->name : std::string_view();
}

}  // namespace heapscape::engine
