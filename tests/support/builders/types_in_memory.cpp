// SPDX-License-Identifier: MIT
#include "support/builders/types_in_memory.h"

namespace heapscape::test {

using engine::ClosedTypeId;
using engine::ElementType;
using engine::TypeKind;

TypesInMemory::TypesInMemory() {
  m_object = add("System.Object", TypeKind::Class, {});
  declaration(m_object).wellKnown = engine::WellKnownType::Object;
}

ClosedTypeId TypesInMemory::addClass(std::string_view name, std::vector<Field> fields) {
  const ClosedTypeId id = add(name, TypeKind::Class, std::move(fields));
  declaration(id).base = m_object;
  return id;
}

ClosedTypeId TypesInMemory::addStruct(std::string_view name, std::vector<Field> fields) {
  const ClosedTypeId id = add(name, TypeKind::Struct, std::move(fields));
  declaration(id).layoutKind = engine::LayoutKind::Sequential;
  return id;
}

ClosedTypeId TypesInMemory::add(std::string_view name, TypeKind kind, std::vector<Field> fields) {
  const ClosedTypeId id{static_cast<std::uint32_t>(m_types.size())};
  Type& type = m_types.emplace_back();
  type.name = name;
  type.closed.element = kind == TypeKind::Struct ? ElementType::ValueType : ElementType::Class;
  type.closed.assembly = engine::AssemblyId{0};
  type.declaration.kind = kind;
  type.declaration.assembly = engine::AssemblyId{0};
  for (const Field& field : fields) {
    engine::FieldDeclaration& declared = type.declaration.fields.emplace_back();
    declared.name = m_names.emplace_back(field.name);
    declared.element = field.element;
    declared.type = field.type;
    declared.explicitOffset = field.offset;
  }
  return id;
}

engine::Result<const engine::TypeDeclaration*> TypesInMemory::declarationOf(ClosedTypeId id) {
  return &m_types[id.value].declaration;
}

std::string TypesInMemory::fieldTypeName(ClosedTypeId, const engine::FieldDeclaration& field) {
  if (field.element == ElementType::ValueType) return nameOf(field.type);
  return std::string(field.element == ElementType::Class ? "System.String" : engine::primitiveName(field.element));
}

}  // namespace heapscape::test
