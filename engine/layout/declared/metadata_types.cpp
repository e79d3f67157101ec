// SPDX-License-Identifier: MIT
#include "layout/declared/metadata_types.h"

#include <algorithm>
#include <utility>

#include "layout/declared/metadata_flags.h"
#include "layout/declared/metadata_types_parts.h"
#include "layout/declared/type_lister.h"

namespace heapscape::engine {

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
