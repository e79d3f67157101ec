// SPDX-License-Identifier: MIT
#include "session/type_fields.h"

#include <algorithm>

#include "metadata/attribute_words.h"
#include "metadata/type_name.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

class FieldRows {
 public:
  FieldRows(const RuntimeReaders& readers, FindingList& findings)
      : m_readers(readers), m_findings(findings), m_shapes(readers) {}

  /// The fields that one type declares: its instance fields by offset, or its statics.
  void add(std::vector<TypeField>& rows, const MethodTable& type, bool statics) {
    auto fields = m_readers.fields.declaredBy(type);
    if (!fields) {
      m_findings.add(
          FindingKind::RuntimeDataDamaged, type.address,
          "The fields of " + m_readers.names.nameOf(type.address) + " cannot be read. " + fields.error().what);
      return;
    }
    std::erase_if(*fields, [&](const FieldDesc& field) { return field.isStatic != statics; });
    if (!statics) std::ranges::stable_sort(*fields, {}, &FieldDesc::offset);
    m_declaring = &type;
    m_module = m_readers.modules.definingModule(m_readers.methodTables, type);
    m_declaringName = m_readers.names.nameOf(type.address);
    m_parameters = parameterNames(type);
    for (const FieldDesc& field : *fields) rows.push_back(rowOf(field));
  }

 private:
  std::vector<std::string_view> parameterNames(const MethodTable& type) const {
    const auto row = m_readers.methodTables.typeDefRow(type);
    if (!m_module || !m_module->metadata || !row) return {};
    return m_module->metadata->genericParamNames({TableId::TypeDef, *row});
  }

  TypeField rowOf(const FieldDesc& field) const {
    const Slot slot = m_shapes.slotOf(field, *m_declaring);
    TypeField row;
    row.token = Token{TableId::Field, field.row}.value();
    row.name = field.name;
    row.typeName = slot.typeName;
    row.declaredType = declaredTypeOf(field);
    row.typeMethodTable = m_readers.methodTables.isTypeDesc(slot.type) ? Address{} : slot.type;
    row.elementType = static_cast<std::uint8_t>(field.elementType);
    row.offset = field.offset;
    row.sizeBytes = slot.sizeBytes;
    row.declaringType = m_declaringName;
    row.isStatic = field.isStatic;
    row.isThreadStatic = field.isThreadStatic;
    row.isRva = field.isRva;
    row.fieldDesc = field.address;
    const auto metadata = m_module && m_module->metadata ? m_module->metadata->field(field.row) : std::nullopt;
    if (metadata) row.attributes = fieldAttributeText(metadata->flags);
    return row;
  }

  std::string declaredTypeOf(const FieldDesc& field) const {
    const auto type = decodeFieldSignature(field.signature);
    if (!type || !m_module || !m_module->metadata) return {};
    const auto parameter = [this](std::uint32_t number) {
      return number < m_parameters.size() ? std::string(m_parameters[number]) : "!" + std::to_string(number);
    };
    return signatureTypeName(*m_module->metadata, *type, {.typeParameter = parameter});
  }

  const RuntimeReaders& m_readers;
  FindingList& m_findings;
  TypeShapes m_shapes;
  const MethodTable* m_declaring = nullptr;
  const Module* m_module = nullptr;
  std::string m_declaringName;
  std::vector<std::string_view> m_parameters;
};

}  // namespace

std::vector<TypeField> readTypeFields(const Contents& contents, const std::vector<MethodTable>& chain,
                                      FindingList& findings) {
  std::vector<TypeField> rows;
  FieldRows reader(*contents.readers, findings);
  for (auto type = chain.rbegin(); type != chain.rend(); ++type) reader.add(rows, *type, false);
  if (!chain.empty()) reader.add(rows, chain.front(), true);
  return rows;
}

}  // namespace heapscape::engine
