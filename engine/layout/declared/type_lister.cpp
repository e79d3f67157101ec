// SPDX-License-Identifier: MIT
#include "layout/declared/type_lister.h"

#include "base/limits.h"
#include "layout/declared/metadata_flags.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
