// SPDX-License-Identifier: MIT
#include "session/types/type_fields.h"

#include <algorithm>

#include "metadata/names/attribute_words.h"
#include "metadata/names/type_name.h"
#include "runtime/types/method_tables.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

// As SOS has it in its column VT: structs, enums and primitives, but no pointers.
bool isValue(ElementType type) {
  const bool isPrimitive = type >= ElementType::Boolean && type <= ElementType::R8;
  return isPrimitive || type == ElementType::ValueType || type == ElementType::I || type == ElementType::U;
}

class FieldListReader {
 public:
  FieldListReader(const Contents& contents, Address object, FindingList& findings)
      : m_readers(*contents.readers),
        m_findings(findings),
        m_values({.readers = *contents.readers, .heap = contents.heap.get()}),
        m_object(object) {}

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
    m_arguments = m_readers.methodTables.typeArguments(type).value_or(std::vector<TypeHandle>{});
    for (const FieldDesc& field : *fields) rows.push_back(rowOf(field));
  }

 private:
  std::vector<std::string_view> parameterNames(const MethodTable& type) const {
    const auto row = m_readers.methodTables.typeDefRow(type);
    if (!m_module || !m_module->metadata || !row) return {};
    return m_module->metadata->genericParamNames({TableId::TypeDef, *row});
  }

  TypeField rowOf(const FieldDesc& field) const {
    const Slot slot = m_values.shapes().slotOf(field, *m_declaring);
    TypeField row;
    row.token = Token{TableId::Field, field.row}.value();
    row.name = field.name;
    row.typeName = slot.typeName;
    row.declaredType = declaredTypeOf(field);
    const TypeHandle type = slot.type ? slot.type : loadedTypeOf(field);
    row.typeMethodTable = m_readers.methodTables.isTypeDesc(type) ? Address{} : type;
    row.elementType = static_cast<std::uint8_t>(field.elementType);
    row.offset = field.offset;
    row.objectOffset = field.offset + (field.isStatic ? 0 : kFieldsStart);
    row.sizeBytes = slot.sizeBytes;
    row.declaringType = m_declaringName;
    row.declaringMethodTable = m_declaring->address;
    row.isValueType = isValue(field.elementType);
    if (m_object && !field.isStatic)
      row.value = m_values.readField(field, *m_declaring, m_object + row.objectOffset).value;
    row.isStatic = field.isStatic;
    row.isThreadStatic = field.isThreadStatic;
    row.isRva = field.isRva;
    row.fieldDesc = field.address;
    const auto metadata = m_module && m_module->metadata ? m_module->metadata->field(field.row) : std::nullopt;
    if (metadata) row.attributes = fieldAttributeText(metadata->flags);
    return row;
  }

  // References are read without it.
  TypeHandle loadedTypeOf(const FieldDesc& field) const {
    const auto type = decodeFieldSignature(field.signature);
    if (!type) return {};
    return m_readers.resolver.find(*type, {.module = m_module, .arguments = m_arguments});
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
  const ValueReader m_values;
  const Address m_object;
  const MethodTable* m_declaring = nullptr;
  const Module* m_module = nullptr;
  std::string m_declaringName;
  std::vector<std::string_view> m_parameters;
  std::vector<TypeHandle> m_arguments;
};

}  // namespace

std::vector<TypeField> readTypeFields(const Contents& contents, const std::vector<MethodTable>& chain, Address object,
                                      FindingList& findings) {
  std::vector<TypeField> rows;
  FieldListReader reader(contents, object, findings);
  for (auto type = chain.rbegin(); type != chain.rend(); ++type) reader.add(rows, *type, false);
  if (!chain.empty()) reader.add(rows, chain.front(), true);
  return rows;
}

void addStaticValues(TypeDetails& type, const StaticList& statics) {
  for (TypeField& field : type.fields) {
    if (!field.isStatic || field.isThreadStatic) continue;
    const auto row = std::ranges::find_if(statics.statics, [&](const StaticRow& found) {
      return found.kind != StaticKind::Thread && found.methodTable == field.declaringMethodTable &&
             found.field == field.name;
    });
    if (row != statics.statics.end()) field.value = row->value.value;
  }
}

}  // namespace heapscape::engine
