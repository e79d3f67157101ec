// SPDX-License-Identifier: MIT
#include "layout/declared/type_closer.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

static_assert(kLimits.nestingDepth < 255);

std::size_t hashOf(const ClosedType& type) {
  std::uint64_t hash = static_cast<std::uint64_t>(type.element);
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  mix(type.assembly.value);
  mix(type.typeDefRow);
  mix(type.rank);
  for (const ClosedTypeId argument : type.arguments) mix(argument.value);
  return hash;
}

bool isSame(const ClosedType& a, const ClosedType& b) {
  return a.element == b.element && a.assembly == b.assembly && a.typeDefRow == b.typeDefRow && a.rank == b.rank &&
         a.arguments == b.arguments;
}

}  // namespace

std::size_t ClosedTypeTable::depthOf(const ClosedType& type) const {
  std::size_t depth = 0;
  for (const ClosedTypeId argument : type.arguments) {
    depth = std::max(depth, std::size_t{m_depths[argument.value]} + 1);
  }
  return depth;
}

Result<ClosedTypeId> ClosedTypeTable::intern(ClosedType type) {
  const std::size_t hash = hashOf(type);
  const auto [first, last] = m_byHash.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (isSame(at(known->second), type)) return known->second;
  }
  const std::size_t depth = depthOf(type);
  if (depth > kLimits.nestingDepth) return failure(ErrorCode::Damaged, "Generic types are nested without end.");
  if (m_types.size() >= kLimits.closedTypes) {
    return failure(ErrorCode::Damaged, "There are more types than any program has.");
  }
  const ClosedTypeId id{static_cast<std::uint32_t>(m_types.size())};
  m_types.push_back(std::move(type));
  m_depths.push_back(static_cast<std::uint8_t>(depth));
  m_byHash.emplace(hash, id);
  return id;
}

Result<ClosedTypeId> TypeCloser::instantiate(TypeDefinition definition, std::span<const ClosedTypeId> arguments) {
  HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf(definition));
  if (facts.parameterCount != arguments.size()) {
    return failure(ErrorCode::BadQuery,
                   fmt::format("{} takes {} type arguments, not {}.",
                               m_assemblies.metadata(definition.assembly).typeDefName(definition.row),
                               facts.parameterCount, arguments.size()));
  }
  if (facts.element != ElementType::Class && facts.element != ElementType::ValueType) return primitive(facts.element);
  return m_types.intern({.element = facts.element,
                         .assembly = definition.assembly,
                         .typeDefRow = definition.row,
                         .arguments = {arguments.begin(), arguments.end()}});
}

Result<ClosedTypeId> TypeCloser::arrayOf(ClosedTypeId element, std::uint32_t rank, bool isSzArray) {
  return m_types.intern({.element = isSzArray ? ElementType::SzArray : ElementType::Array,
                         .rank = isSzArray ? 1 : rank,
                         .arguments = {element}});
}

Result<ClosedTypeId> TypeCloser::pointerTo(ClosedTypeId target, ElementType kind) {
  return m_types.intern({.element = kind, .arguments = {target}});
}

Result<ClosedTypeId> TypeCloser::functionPointer(std::vector<ClosedTypeId> parts) {
  return m_types.intern({.element = ElementType::FnPtr, .arguments = std::move(parts)});
}

Result<ClosedTypeId> TypeCloser::primitive(ElementType element) {
  if (const auto known = m_primitives.find(element); known != m_primitives.end()) return known->second;
  const std::string_view name = primitiveName(element);
  if (name.empty()) return failure(ErrorCode::BadQuery, "That kind of type has no name of its own.");
  const bool isClass = element == ElementType::String || element == ElementType::Object;
  ClosedType type{.element = isClass ? ElementType::Class : element};
  const auto core = m_assemblies.coreLibrary();
  // A number is laid out without CoreLib; only what it is inside stays unknown.
  if (!core && isClass) return m_assemblies.reportMissing(AssemblyList::kCoreLibrary, core.error());
  if (core) {
    type.assembly = *core;
    type.typeDefRow = m_assemblies.metadata(*core).findTypeDef(name);
    if (type.typeDefRow == 0) {
      return failure(ErrorCode::Damaged, fmt::format("{} does not define {}.", AssemblyList::kCoreLibrary, name));
    }
  }
  HEAPSCAPE_TRY(const ClosedTypeId id, m_types.intern(std::move(type)));
  if (core) m_primitives.emplace(element, id);
  return id;
}

Result<std::vector<ClosedTypeId>> TypeCloser::closeParts(AssemblyId assembly, const SignatureType& signature,
                                                         std::span<const ClosedTypeId> arguments) {
  std::vector<ClosedTypeId> closed;
  closed.reserve(signature.parts.size());
  for (const SignatureType& part : signature.parts) {
    HEAPSCAPE_TRY(const ClosedTypeId id, close(assembly, part, arguments));
    closed.push_back(id);
  }
  return closed;
}

// Recursion ends with the signature, whose depth is bounded where it is decoded.
Result<ClosedTypeId> TypeCloser::close(AssemblyId assembly, const SignatureType& signature,
                                       std::span<const ClosedTypeId> arguments) {
  HEAPSCAPE_TRY(std::vector<ClosedTypeId> parts, closeParts(assembly, signature, arguments));
  switch (signature.element) {
    case ElementType::Class:
    case ElementType::ValueType:
    case ElementType::GenericInst: {
      HEAPSCAPE_TRY(const TypeDefinition definition, m_resolver.definitionOf(assembly, signature.token));
      auto closed = instantiate(definition, parts);
      if (!closed && closed.error().code == ErrorCode::BadQuery) closed.error().code = ErrorCode::Damaged;
      return closed;
    }
    case ElementType::Var:
      if (signature.number < arguments.size()) return arguments[signature.number];
      return failure(ErrorCode::Damaged, "A signature names a type parameter that its type does not have.");
    case ElementType::SzArray:
    case ElementType::Array:
      return arrayOf(parts.front(), signature.number, signature.element == ElementType::SzArray);
    case ElementType::Ptr:
    case ElementType::ByRef:
      return pointerTo(parts.front(), signature.element);
    case ElementType::FnPtr:
      return functionPointer(std::move(parts));
    case ElementType::MVar:
    case ElementType::Internal:
      return failure(ErrorCode::Damaged, "A signature names a type that only a method or a running program knows.");
    default:
      return primitive(signature.element);
  }
}

}  // namespace heapscape::engine
