// SPDX-License-Identifier: MIT
#include "layout/declared/told_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/limits.h"
#include "layout/declared/definition_table.h"
#include "layout/declared/metadata_flags.h"
#include "layout/object_size.h"
#include "layout/repeated_field.h"
#include "layout/rules/layout_rules.h"
#include "layout/type_kind.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kVectorOfTName = "System.Numerics.Vector<";
constexpr std::uint32_t kVectorBytesUnlessAskedFor = 16;  // the compiler uses no wider ones by itself
constexpr std::array<std::uint32_t, 3> kCandidatePacks{1, 2, 4};

tl::unexpected<Error> notToldHow(std::string_view name) {
  return failure(ErrorCode::NotFound, fmt::format("Nothing tells by which attributes {} is laid out as it is.", name));
}

ElementType closedElementOf(const MethodTable& type, const MethodTables& methodTables) {
  if (!type.isPrimitive) return type.isValueType ? ElementType::ValueType : ElementType::Class;
  return methodTables.normalisedElementType(type).value_or(ElementType::ValueType);
}

/// The metadata's name of the definition, put together from the full name where no metadata tells.
std::string definitionNameOf(const RuntimeReaders& readers, const MethodTable& type, std::string_view fullName) {
  std::string name = readers.names.definitionName(type);
  if (!name.empty()) return name;
  name = fullName.substr(0, fullName.find('<'));
  return name.size() < fullName.size() ? name + "`1" : name;
}

}  // namespace

ToldTypes::ToldTypes(const RuntimeReaders& readers)
    : m_readers(readers), m_runtime(LayoutRuntime::of(readers.runtime.contract().architecture())) {
  const std::string& version = m_readers.runtime.contract().runtimeVersion();
  std::from_chars(version.data(), version.data() + version.size(), m_runtime.majorVersion);
  m_runtime.vectorBytes = kVectorBytesUnlessAskedFor;
  for (const Address handle : m_readers.loadedTypes.all()) {
    const std::string& name = m_readers.names.nameOf(handle);
    m_byName.try_emplace(name, handle);
    if (!name.starts_with(kVectorOfTName)) continue;
    const auto type = m_readers.methodTables.read(handle);
    const auto size = type ? m_readers.methodTables.valueSize(*type) : failure(ErrorCode::NotFound, {});
    if (size && (*size == 16 || *size == 32 || *size == 64)) m_runtime.vectorBytes = *size;
  }
}

ToldTypes::~ToldTypes() = default;

Result<ClosedTypeId> ToldTypes::closedTypeOf(TypeHandle handle) {
  if (const auto known = m_closed.find(handle); known != m_closed.end()) return known->second;
  if (m_depth > kLimits.nestingDepth) return failure(ErrorCode::Damaged, "Arrays are nested without end.");
  if (m_readers.methodTables.isTypeDesc(handle)) return add(handle, {.element = ElementType::Ptr});
  HEAPSCAPE_TRY(const MethodTable type, m_readers.methodTables.read(handle));
  if (type.isArray) return closedArray(type, handle);
  ClosedType closed{.element = closedElementOf(type, m_readers.methodTables)};
  if (type.isInterface) return add(handle, closed);
  HEAPSCAPE_TRY(ToldDeclaration told, m_readers.fields.toldDeclarationOf(type));
  closed.assembly = assemblyNamed(told.assembly);
  closed.typeDefRow = m_definitions.try_emplace(told.definition, m_definitions.size() + 1).first->second;
  HEAPSCAPE_TRY(const ClosedTypeId id, add(handle, std::move(closed)));
  m_types[id.value].told = std::move(told);
  return id;
}

Result<ClosedTypeId> ToldTypes::closedArray(const MethodTable& type, TypeHandle handle) {
  HEAPSCAPE_TRY(const TypeHandle elementType, m_readers.methodTables.arrayElementType(type));
  HEAPSCAPE_TRY(const std::uint32_t rank, m_readers.methodTables.arrayRank(type));
  ++m_depth;
  const auto element = closedTypeOf(elementType);
  --m_depth;
  if (!element) return tl::unexpected<Error>(element.error());
  return add(
      handle,
      {.element = type.isSzArray ? ElementType::SzArray : ElementType::Array, .rank = rank, .arguments = {*element}});
}

Result<ClosedTypeId> ToldTypes::add(TypeHandle handle, ClosedType type) {
  const ClosedTypeId id{static_cast<std::uint32_t>(m_types.size())};
  m_types.push_back({.type = std::move(type), .handle = handle, .name = {}, .told = {}, .declaration = {}});
  m_closed.emplace(handle, id);
  return id;
}

AssemblyId ToldTypes::assemblyNamed(const std::string& name) {
  const auto known = std::ranges::find(m_assemblies, name);
  const AssemblyId id{static_cast<std::uint32_t>(known - m_assemblies.begin())};
  if (known == m_assemblies.end()) m_assemblies.push_back(name);
  return id;
}

Result<ClosedTypeId> ToldTypes::find(std::string_view name) {
  const auto found = m_byName.find(name);
  if (found != m_byName.end()) return closedTypeOf(found->second);
  return failure(ErrorCode::NotFound, "No type of this program is named '" + std::string(name) + "'.",
                 "Give the full name with namespace.");
}

const std::string& ToldTypes::nameOf(ClosedTypeId id) {
  Type& type = m_types[id.value];
  if (type.name.empty()) type.name = m_readers.names.nameOf(type.handle);
  return type.name;
}

std::string ToldTypes::fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) {
  const std::vector<FieldDesc>& fields = m_types[owner.value].told.fields;
  if (field.fieldRow < fields.size() && !fields[field.fieldRow].typeName.empty())
    return fields[field.fieldRow].typeName;
  return field.type.isNone() ? std::string(primitiveName(field.element)) : nameOf(field.type);
}

Result<const TypeDeclaration*> ToldTypes::declarationOf(ClosedTypeId id) {
  if (m_types[id.value].declaration) {
    if (!*m_types[id.value].declaration) return tl::unexpected<Error>(m_types[id.value].declaration->error());
    return &**m_types[id.value].declaration;
  }
  if (m_depth > kLimits.nestingDepth) return failure(ErrorCode::Damaged, "Types lie too deep in each other.");
  ++m_depth;
  const auto made = [&]() -> Result<void> {
    HEAPSCAPE_TRY(const MethodTable methodTable, m_readers.methodTables.read(m_types[id.value].handle));
    HEAPSCAPE_TRY(const TypeDeclaration read, this->read(m_types[id.value], methodTable));
    return settle(id, methodTable, read);
  }();
  --m_depth;
  if (!made) m_types[id.value].declaration = tl::unexpected<Error>(made.error());
  return declarationOf(id);
}

Result<TypeDeclaration> ToldTypes::read(const Type& type, const MethodTable& methodTable) {
  if (type.type.typeDefRow == 0 && !methodTable.isInterface)
    return failure(ErrorCode::BadQuery, "Arrays, pointers and types that are not found have no declaration.");
  const std::string& name = m_readers.names.nameOf(type.handle);
  TypeDeclaration declaration{.kind = kindOf(m_readers.runtime, methodTable),
                              .wellKnown = wellKnownNamed(definitionNameOf(m_readers, methodTable, name)),
                              .isGeneric = name.find('<') != std::string::npos,
                              .typeDefRow = type.type.typeDefRow,
                              .assembly = type.type.assembly};
  if (declaration.kind == TypeKind::Enum)
    declaration.underlying = m_readers.methodTables.normalisedElementType(methodTable).value_or(ElementType::End);
  if (type.told.attributes) declaration.isAbstract = (type.told.attributes->flags & typeFlags::kAbstract) != 0;
  if (!methodTable.isValueType && !methodTable.isInterface && methodTable.parent) {
    HEAPSCAPE_TRY(declaration.base, closedTypeOf(methodTable.parent));
  }
  for (std::uint32_t i = 0; i < type.told.fields.size(); ++i) {
    const FieldDesc& told = type.told.fields[i];
    FieldDeclaration field{.name = told.name, .element = told.elementType, .fieldRow = i};
    if (field.element == ElementType::End) return notToldHow(name);
    if (field.element == ElementType::ValueType) {
      HEAPSCAPE_TRY(field.type, closedTypeOf(told.type));
      const ElementType element = m_types[field.type.value].type.element;
      if (primitiveSize(element) != 0) field.element = element;
    }
    declaration.fields.push_back(field);
  }
  return declaration;
}

namespace {

/// The declarations that a type may have.
class DeclarationCandidates {
 public:
  DeclarationCandidates(const ToldDeclaration& told, std::uint32_t valueSize) : m_told(told), m_valueSize(valueSize) {}

  std::vector<TypeDeclaration> of(const TypeDeclaration& read) {
    m_read = read;
    const LayoutKind first = read.kind == TypeKind::Struct ? LayoutKind::Sequential : LayoutKind::Auto;
    if (read.kind != TypeKind::Struct && read.kind != TypeKind::Class) {
      add(first, 0, 0);
    } else if (m_told.attributes) {
      addDeclared(*m_told.attributes);
    } else {
      addInlineArray();
      add(first, 0, 0);
      add(LayoutKind::Sequential, 0, m_valueSize);
      add(LayoutKind::Auto, 0, 0);
      add(LayoutKind::Sequential, 0, 0);
      for (const std::uint32_t pack : kCandidatePacks) add(LayoutKind::Sequential, pack, 0);
      add(LayoutKind::Explicit, 0, 0);
      add(LayoutKind::Explicit, 0, m_valueSize);
    }
    return std::move(m_found);
  }

 private:
  void addDeclared(const ToldDeclaration::Attributes& attributes) {
    const LayoutKind kind = declaredLayoutKind(attributes.flags);
    if (!attributes.size) addInlineArray();
    add(kind, attributes.pack, attributes.size);
  }

  // What C# makes of a fixed buffer has a size, which no inline array has.
  void addInlineArray() {
    if (m_read.kind != TypeKind::Struct || m_told.fields.size() != 1) return;
    m_isInlineArray = true;
    add(LayoutKind::Sequential, 0, 0);
    m_isInlineArray = false;
  }

  void add(LayoutKind kind, std::uint32_t pack, std::uint32_t size) {
    TypeDeclaration& one = m_found.emplace_back(m_read);
    one.layoutKind = kind;
    one.pack = pack;
    one.size = size;
    one.hasClassLayout = kind != LayoutKind::Auto && (pack || size);
    if (m_isInlineArray) one.inlineArrayLength = 0;  // still to be counted
    if (kind != LayoutKind::Explicit) return;
    for (std::size_t i = 0; i < one.fields.size(); ++i) one.fields[i].explicitOffset = m_told.fields[i].offset;
  }

  const ToldDeclaration& m_told;
  const std::uint32_t m_valueSize;
  TypeDeclaration m_read;
  bool m_isInlineArray = false;
  std::vector<TypeDeclaration> m_found;
};

}  // namespace

// A candidate stands as the declaration while the rules are asked what they make of it.
Result<void> ToldTypes::settle(ClosedTypeId id, const MethodTable& methodTable, const TypeDeclaration& read) {
  const std::uint32_t valueSize =
      methodTable.isValueType ? m_readers.methodTables.valueSize(methodTable).value_or(0) : 0;
  for (TypeDeclaration& candidate : DeclarationCandidates(m_types[id.value].told, valueSize).of(read)) {
    if (candidate.inlineArrayLength) {
      LayoutRules rules(*this, m_runtime);
      candidate.inlineArrayLength.reset();
      m_types[id.value].declaration = candidate;
      const auto placement = rules.placementOf(id);
      const std::uint32_t element = placement ? placement.value()->sizes.front() : 0;
      if (!element || valueSize <= element || valueSize % element != 0 || isFixedBuffer(nameOf(id))) continue;
      candidate.inlineArrayLength = valueSize / element;
    }
    m_types[id.value].declaration = candidate;
    if (isAsCompiled(id, methodTable)) return {};
  }
  return notToldHow(nameOf(id));
}

bool ToldTypes::isAsCompiled(ClosedTypeId id, const MethodTable& methodTable) {
  const TypeDeclaration& declaration = **m_types[id.value].declaration;
  // Enums, delegates, strings and the like are laid out in one way alone.
  if (declaration.kind != TypeKind::Struct && declaration.kind != TypeKind::Class) return true;
  LayoutRules rules(*this, m_runtime);
  const auto placement = rules.placementOf(id);
  if (!placement) return false;
  const std::vector<FieldDesc>& told = m_types[id.value].told.fields;
  for (std::size_t i = 0; i < told.size(); ++i)
    if ((*placement)->offsets[i] != told[i].offset) return false;
  if (methodTable.hasComponentSize) return true;
  // Where there is no method table, the size of a value is known but for its rounding.
  const auto valueSize = methodTable.isValueType && m_readers.methodTables.isMethodTable(methodTable.address)
                             ? m_readers.methodTables.valueSize(methodTable)
                             : failure(ErrorCode::NotFound, {});
  return valueSize ? (*placement)->fieldBytes == *valueSize
                   : objectBytes((*placement)->fieldBytes) == methodTable.baseSize;
}

}  // namespace heapscape::engine
