// SPDX-License-Identifier: MIT
#include "layout/declared/metadata_types.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/limits.h"
#include "layout/declared/assembly_list.h"
#include "layout/declared/closed_type_table.h"
#include "layout/declared/declaration_reader.h"
#include "layout/declared/definition_resolver.h"
#include "layout/declared/definition_table.h"
#include "layout/declared/finders/named_type_finder.h"
#include "layout/declared/metadata_flags.h"
#include "layout/declared/type_closer.h"
#include "layout/declared/type_namer.h"

namespace heapscape::engine {
namespace {

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

std::vector<ClosedTypeId> TypeLister::list() {
  addDefinitions();
  addNamed();
  addClosure();
  return std::move(m_list);
}

void TypeLister::add(ClosedTypeId type) {
  if (m_list.size() < kLimits.listedTypes && m_seen.insert(type).second) m_list.push_back(type);
}

void TypeLister::addDefinitions() {
  // The first definition holds what stands outside of types.
  for (std::uint32_t row = 2; row <= m_metadata.rowCount(TableId::TypeDef); ++row) {
    const auto definition = m_metadata.typeDef(row);
    if (!definition || (definition->flags & typeFlags::kInterface)) continue;
    // Definitions with parameters do not close without arguments.
    if (const auto type = m_types.instantiate(m_assembly, row, {})) add(*type);
  }
}

// Any number of rows may share one long signature.
bool TypeLister::countSignature(Bytes signature) {
  constexpr std::size_t kMaxBytes = 64 << 20;
  m_bytesRead += signature.size();
  return m_bytesRead <= kMaxBytes;
}

// Signatures of fields and methods, and TypeSpec rows, which code refers to generic types by.
void TypeLister::addNamed() {
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::TypeSpec); ++row) {
    const Bytes bytes = m_metadata.typeSpec(row).value_or(Bytes{});
    if (!countSignature(bytes)) return;
    if (const auto signature = decodeTypeSpec(bytes)) addSignature(*signature);
  }
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::Field); ++row) {
    const auto field = m_metadata.field(row);
    if (!field) continue;
    if (!countSignature(field->signature)) return;
    if (const auto signature = decodeFieldSignature(field->signature)) addSignature(*signature);
  }
  for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::MethodDef); ++row) {
    const auto method = m_metadata.methodDef(row);
    if (!method) continue;
    if (!countSignature(method->signature)) return;
    const auto signature = decodeMethodSignature(method->signature);
    if (!signature) continue;
    addSignature(signature->returned);
    for (const SignatureType& parameter : signature->parameters) addSignature(parameter);
  }
}

void TypeLister::addSignature(const SignatureType& signature) {
  for (const SignatureType& part : signature.parts) addSignature(part);
  if (signature.element != ElementType::GenericInst) return;
  // One that names open parameters does not close.
  const auto type = m_types.resolve(m_assembly, signature, {});
  if (!type) return;
  const auto declaration = m_types.declarationOf(*type);
  if (!declaration || (*declaration)->kind != TypeKind::Interface) add(*type);
}

void TypeLister::addClosure() {
  for (std::size_t next = 0; next < m_list.size(); ++next) {
    const auto declaration = m_types.declarationOf(m_list[next]);
    if (!declaration) continue;
    if (!(*declaration)->base.isNone()) add((*declaration)->base);
    for (const FieldDeclaration& field : (*declaration)->fields) {
      if (field.type.isNone()) continue;
      if (m_types.type(field.type).element == ElementType::ValueType) add(field.type);
    }
  }
}

}  // namespace

/// What stands behind MetadataTypes, each part built on those above it.
struct MetadataTypes::Parts {
  explicit Parts(std::shared_ptr<AssemblyFinder> finder)
      : assemblies(std::move(finder), [this] { return reading.isNone() ? std::string() : namer.nameOf(reading); }) {}
  Parts(const Parts&) = delete;

  AssemblyList assemblies;
  DefinitionResolver resolver{assemblies};
  DefinitionTable definitions{assemblies, resolver};
  ClosedTypeTable types;
  TypeCloser closer{assemblies, resolver, definitions, types};
  NamedTypeFinder names{assemblies, resolver, definitions, closer};
  TypeNamer namer{assemblies, types};
  DeclarationReader reader{assemblies, definitions, closer, types};
  ClosedTypeId reading;                                                      // whose declaration is being read
  std::vector<std::unique_ptr<const Result<TypeDeclaration>>> declarations;  // by number
};

MetadataTypes::MetadataTypes(std::shared_ptr<AssemblyFinder> finder)
    : m_parts(std::make_unique<Parts>(std::move(finder))) {}

MetadataTypes::~MetadataTypes() = default;

AssemblyId MetadataTypes::add(AssemblySource assembly) {
  return m_parts->assemblies.add(std::move(assembly));
}

const AssemblySource& MetadataTypes::assembly(AssemblyId id) const {
  return m_parts->assemblies.at(id);
}

std::size_t MetadataTypes::assemblyCount() const {
  return m_parts->assemblies.size();
}

Result<AssemblyId> MetadataTypes::findAssembly(std::string_view simpleName) {
  return m_parts->assemblies.find(simpleName);
}

const std::vector<MetadataTypes::MissingAssembly>& MetadataTypes::missing() const {
  return m_parts->assemblies.missing();
}

Result<ClosedTypeId> MetadataTypes::instantiate(AssemblyId assembly, std::uint32_t typeDefRow,
                                                std::span<const ClosedTypeId> arguments) {
  return m_parts->closer.instantiate({assembly, typeDefRow}, arguments);
}

Result<ClosedTypeId> MetadataTypes::arrayOf(ClosedTypeId element, std::uint32_t rank, bool isSzArray) {
  return m_parts->closer.arrayOf(element, rank, isSzArray);
}

Result<ClosedTypeId> MetadataTypes::pointerTo(ClosedTypeId target, ElementType kind) {
  return m_parts->closer.pointerTo(target, kind);
}

Result<ClosedTypeId> MetadataTypes::functionPointer(std::vector<ClosedTypeId> parts) {
  return m_parts->closer.functionPointer(std::move(parts));
}

Result<ClosedTypeId> MetadataTypes::primitive(ElementType element) {
  return m_parts->closer.primitive(element);
}

Result<ClosedTypeId> MetadataTypes::resolve(AssemblyId assembly, const SignatureType& signature,
                                            std::span<const ClosedTypeId> arguments) {
  return m_parts->closer.close(assembly, signature, arguments);
}

Result<ClosedTypeId> MetadataTypes::parse(AssemblyId home, std::string_view name) {
  return m_parts->names.find(home, name);
}

std::vector<ClosedTypeId> MetadataTypes::allTypesOf(AssemblyId assembly) {
  return TypeLister(*this, assembly).list();
}

std::vector<std::string> MetadataTypes::openDefinitionsOf(AssemblyId assembly) const {
  const Metadata& metadata = m_parts->assemblies.metadata(assembly);
  std::vector<std::string> names;
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row) {
    const auto definition = metadata.typeDef(row);
    if (!definition || (definition->flags & typeFlags::kInterface)) continue;
    if (!metadata.genericParamNames({TableId::TypeDef, row}).empty()) names.push_back(metadata.typeDefName(row));
  }
  std::ranges::sort(names);
  return names;
}

const ClosedType& MetadataTypes::type(ClosedTypeId id) const {
  return m_parts->types.at(id);
}

Result<const TypeDeclaration*> MetadataTypes::declarationOf(ClosedTypeId id) {
  auto& known = m_parts->declarations;
  if (id.value >= known.size()) known.resize(m_parts->types.size());
  if (!known[id.value]) {
    m_parts->reading = id;
    auto read = std::make_unique<const Result<TypeDeclaration>>(m_parts->reader.read(type(id)));
    m_parts->reading = {};
    known[id.value] = std::move(read);
  }
  const Result<TypeDeclaration>& declaration = *known[id.value];
  if (!declaration) return tl::unexpected<Error>(declaration.error());
  return &*declaration;
}

const std::string& MetadataTypes::nameOf(ClosedTypeId id) {
  return m_parts->namer.nameOf(id);
}

std::string MetadataTypes::fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) {
  return m_parts->namer.fieldTypeName(owner, field);
}

const std::string& MetadataTypes::assemblyName(AssemblyId assembly) const {
  static const std::string kNone;
  return m_parts->assemblies.has(assembly) ? m_parts->assemblies.at(assembly).name : kNone;
}

// Module::IsInSameVersionBubble in ceeload.cpp: an assembly is in one's bubble if one's native manifest names it.
bool MetadataTypes::sharesVersionBubble(AssemblyId assembly, AssemblyId other) const {
  if (assembly == other) return true;
  if (!m_parts->assemblies.has(assembly)) return false;
  const AssemblySource& source = m_parts->assemblies.at(assembly);
  const bool isOneComposite = !source.compositeImage.empty() && m_parts->assemblies.has(other) &&
                              source.compositeImage == m_parts->assemblies.at(other).compositeImage;
  return isOneComposite || std::ranges::find(source.versionBubble, assemblyName(other)) != source.versionBubble.end();
}

bool MetadataTypes::isReadyToRun(AssemblyId assembly) const {
  return m_parts->assemblies.has(assembly) && m_parts->assemblies.at(assembly).isReadyToRun;
}

const Metadata* MetadataTypes::metadataOf(AssemblyId assembly) const {
  return m_parts->assemblies.has(assembly) ? m_parts->assemblies.at(assembly).metadata.get() : nullptr;
}

}  // namespace heapscape::engine
