// SPDX-License-Identifier: MIT
#include "session/types/type_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/figures.h"
#include "base/limits.h"
#include "metadata/names/attribute_words.h"
#include "metadata/names/type_name.h"
#include "runtime/types/ee_class.h"
#include "runtime/types/generic_dictionary.h"
#include "runtime/types/method_tables.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kSlotsPerChunk = 8;
constexpr std::uint64_t kSeriesBytes = 16;

class PartReader {
 public:
  PartReader(const RuntimeReaders& readers, const MethodTable& type) : m_readers(readers), m_type(type) {}

  std::vector<OwnedTypePart> read() {
    addOfMethodTable();
    addEEClass();
    addFields();
    addMethods();
    return std::move(m_parts);
  }

  std::uint64_t methodTableBytes() {
    addOfMethodTable();
    std::uint64_t bytes = 0;
    for (const OwnedTypePart& part : m_parts)
      if (part.owner == TypePartOwner::MethodTable) bytes += part.part.sizeBytes;
    return bytes;
  }

 private:
  /// All that a method table can have for itself.
  void addOfMethodTable() {
    addGcDesc();
    addMethodTable();
    addVtable();
    addGenerics();
    addInterfaceMap();
    addAuxiliaryData();
  }

  const ClrRuntime& runtime() const { return m_readers.runtime; }
  const Contract& contract() const { return runtime().contract(); }

  void add(std::string name, Address address, std::uint64_t size, std::string note,
           TypePartOwner owner = TypePartOwner::MethodTable) {
    m_parts.push_back({{std::move(name), address, static_cast<std::uint32_t>(size), std::move(note)}, owner});
  }
  TypePartOwner ownerOfClass() const {
    return m_type.canonical == m_type.address ? TypePartOwner::EEClass : TypePartOwner::Shared;
  }

  // Which fields hold references, right before the method table (src/coreclr/gc/gcdesc.h): a count of series, and the
  // series; or, for arrays of value types, a negative count, where the elements begin, and the parts of one element.
  void addGcDesc() {
    std::int64_t count = 0;
    if (!m_type.containsPointers || !runtime().memory().tryRead(m_type.address - kPointerBytes, count)) return;
    const std::uint64_t magnitude =
        count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    if (magnitude == 0 || magnitude > kLimits.fieldsPerType) return;
    const std::uint64_t size = kPointerBytes + (count > 0 ? kSeriesBytes * magnitude : kPointerBytes * (1 + magnitude));
    add("GCDesc", m_type.address - size, size,
        fmt::format("{} series of references{}", magnitude, count < 0 ? " in each element" : ""));
  }

  void addMethodTable() {
    add("MethodTable", m_type.address, contract().sizeOf("MethodTable"), "what every object points at");
  }

  // A chunk with nothing overridden is that of the parent, or of the canonical method table.
  void addVtable() {
    const auto chunks = m_readers.methodSlots.vtableChunks(m_type);
    const auto counts = m_readers.methodSlots.countsOf(m_type);
    if (!chunks || !counts || chunks->empty()) return;
    add("vtable chunks", m_type.address + contract().sizeOf("MethodTable"), kPointerBytes * chunks->size(),
        fmt::format("pointers to {} virtual slots", counts->virtuals));
    std::vector<Address> others;
    for (const Address other : {m_type.parent, m_type.canonical}) {
      const auto type =
          other && other != m_type.address ? m_readers.methodTables.read(other) : failure(ErrorCode::NotFound, {});
      const auto known = type ? m_readers.methodSlots.vtableChunks(*type) : failure(ErrorCode::NotFound, {});
      if (known) others.insert(others.end(), known->begin(), known->end());
    }
    for (std::uint32_t i = 0; i < chunks->size(); ++i) {
      const std::uint32_t first = i * kSlotsPerChunk;
      const std::uint32_t last = std::min(first + kSlotsPerChunk, counts->virtuals);
      const bool isShared = std::ranges::find(others, (*chunks)[i]) != others.end();
      add(fmt::format("slots {} to {}", first, last - 1), (*chunks)[i], kPointerBytes * std::uint64_t{last - first},
          isShared ? "shared with the parent or the canonical method table" : "",
          isShared ? TypePartOwner::Shared : TypePartOwner::MethodTable);
    }
  }

  void addGenerics() {
    const auto dictionary = readGenericDictionary(runtime(), m_type);
    if (!dictionary) return;
    add("PerInstInfo", dictionary->pointers - kPointerBytes, kPointerBytes * (1u + dictionary->pointerCount),
        dictionary->pointerCount == 1
            ? std::string("pointer to the one dictionary of the parent chain")
            : fmt::format("pointers to {} dictionaries of the parent chain", dictionary->pointerCount));
    add("dictionary", dictionary->address, dictionary->sizeBytes,
        fmt::format("{}, {}", countOf(dictionary->arguments, "type argument"),
                    countOf(dictionary->slots.size(), "looked-up slot")));
  }

  void addInterfaceMap() {
    const auto map = readInterfaceMap(runtime(), m_type);
    if (map && map->address)
      add("interface map", map->address, map->sizeBytes, countOf(map->interfaces.size(), "interface"));
  }

  // Statics and slots that are not virtual lie before it since .NET 9.
  void addAuxiliaryData() {
    const auto data = runtime().pointerAt(m_type.address, "MethodTable", "AuxiliaryData");
    if (data && *data) add("auxiliary data", *data, 2 * kPointerBytes, "flags, loader module");
  }

  void addEEClass() {
    const TypePartOwner owner = ownerOfClass();
    std::uint64_t size = contract().sizeOf("EEClass");
    if (contract().has("EEClass", "CbFixedFields"))
      size = runtime().valueAt<std::uint8_t>(m_type.eeClass, "EEClass", "CbFixedFields").value_or(0);
    add("EEClass", m_type.eeClass, size,
        owner == TypePartOwner::Shared ? "of the canonical method table" : "what is needed less often", owner);
    const auto optional = runtime().pointerAt(m_type.eeClass, "EEClass", "OptionalFields");
    if (optional && *optional)
      add("EEClass optional fields", *optional, contract().sizeOf("EEClassOptionalFields"),
          "dictionary layout, variance, registers", owner);
  }

  void addFields() {
    const auto list = runtime().pointerAt(m_type.eeClass, "EEClass", "FieldDescList");
    const auto fields = m_readers.fields.declaredBy(m_type);
    if (list && *list && fields && !fields->empty())
      add("FieldDescs", *list, contract().sizeOf("FieldDesc") * fields->size(),
          countOf(fields->size(), "field") + " of its own", ownerOfClass());
  }

  void addMethods() {
    FindingList ignored;  // the list of methods tells
    for (const MethodDescChunk& chunk : m_readers.methods.chunksOf(m_type, ignored))
      add("MethodDescChunk", chunk.address, chunk.sizeBytes, countOf(chunk.methods.size(), "method"), ownerOfClass());
  }

  const RuntimeReaders& m_readers;
  const MethodTable& m_type;
  std::vector<OwnedTypePart> m_parts;
};

}  // namespace

std::vector<OwnedTypePart> readTypeParts(const Contents& contents, const MethodTable& type) {
  return PartReader(*contents.readers, type).read();
}

std::uint64_t methodTableBytes(const Contents& contents, const MethodTable& type) {
  return PartReader(*contents.readers, type).methodTableBytes();
}

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
    row.token = field.row ? Token{TableId::Field, field.row}.value() : 0;
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
    return m_readers.resolver.find(field, {.module = m_module, .arguments = m_arguments});
  }

  std::string declaredTypeOf(const FieldDesc& field) const {
    const auto type = decodeFieldSignature(field.signature);
    if (!type || !m_module || !m_module->metadata) return field.typeName;
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
