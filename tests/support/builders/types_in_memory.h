// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "layout/declared/declared_types.h"

namespace heapscape::test {

/// Declarations made by hand, all in one assembly, to lay out what no compiler has to be asked for.
class TypesInMemory : public engine::DeclaredTypes {
 public:
  struct Field {
    std::string_view name;
    engine::ElementType element = engine::ElementType::I4;
    engine::ClosedTypeId type = {};  // of a value type
    std::optional<std::uint32_t> offset = {};
  };

  TypesInMemory();

  engine::ClosedTypeId object() const { return m_object; }
  engine::ClosedTypeId addClass(std::string_view name, std::vector<Field> fields);
  engine::ClosedTypeId addStruct(std::string_view name, std::vector<Field> fields);
  /// A field of a value type that was added before.
  static Field value(std::string_view name, engine::ClosedTypeId type) {
    return {name, engine::ElementType::ValueType, type};
  }
  static Field reference(std::string_view name) { return {name, engine::ElementType::Class}; }
  /// To change what addClass() and addStruct() have not asked.
  engine::TypeDeclaration& declaration(engine::ClosedTypeId id) { return m_types[id.value].declaration; }
  void setAssemblyName(std::string name) { m_assembly = std::move(name); }

  const engine::ClosedType& type(engine::ClosedTypeId id) const override { return m_types[id.value].closed; }
  engine::Result<const engine::TypeDeclaration*> declarationOf(engine::ClosedTypeId id) override;
  const std::string& nameOf(engine::ClosedTypeId id) override { return m_types[id.value].name; }
  std::string fieldTypeName(engine::ClosedTypeId owner, const engine::FieldDeclaration& field) override;
  const std::string& assemblyName(engine::AssemblyId) const override { return m_assembly; }
  bool sharesVersionBubble(engine::AssemblyId, engine::AssemblyId) const override { return true; }
  bool isReadyToRun(engine::AssemblyId) const override { return false; }

 private:
  struct Type {
    std::string name;
    engine::ClosedType closed;
    engine::TypeDeclaration declaration;
  };

  engine::ClosedTypeId add(std::string_view name, engine::TypeKind kind, std::vector<Field> fields);

  std::deque<Type> m_types;
  std::deque<std::string> m_names;  // of fields
  std::string m_assembly = "Shop";
  engine::ClosedTypeId m_object;
};

}  // namespace heapscape::test
