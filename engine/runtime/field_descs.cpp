// SPDX-License-Identifier: MIT
#include "runtime/field_descs.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace heapscape::engine {

Result<FieldDescs::Counts> FieldDescs::countsOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  Counts counts;
  if (runtime.contract().has("EEClass", "NumInstanceFields")) {
    HEAPSCAPE_TRY(counts.instance, runtime.valueAt<std::uint16_t>(type.eeClass, "EEClass", "NumInstanceFields"));
    HEAPSCAPE_TRY(counts.statics, runtime.valueAt<std::uint16_t>(type.eeClass, "EEClass", "NumStaticFields"));
    return counts;
  }
  // .NET 8 keeps the counts behind the class, whose own length is noted in it.
  HEAPSCAPE_TRY(const std::uint8_t packed, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "FieldsArePacked"));
  HEAPSCAPE_TRY(const std::uint8_t length, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "CbFixedFields"));
  if (packed) {
    return failure(
        ErrorCode::Damaged,
        fmt::format("The field counts of method table {} are packed, which is not supported.", toString(type.address)));
  }
  const Address values = type.eeClass + length;
  const auto at = [&](std::string_view name) {
    return values + 4 * runtime.contract().offset("EEClassCountsIndex", name);
  };
  HEAPSCAPE_TRY(counts.instance, runtime.memory().read<std::uint32_t>(at("NumInstanceFields")));
  HEAPSCAPE_TRY(counts.statics, runtime.memory().read<std::uint32_t>(at("NumStaticFields")));
  return counts;
}

Result<std::vector<FieldDesc>> FieldDescs::declaredBy(const MethodTable& type) const {
  std::vector<FieldDesc> fields;
  if (type.isArray) return fields;
  HEAPSCAPE_TRY(const Counts counts, countsOf(type));
  std::uint32_t inherited = 0;
  if (type.parent) {
    HEAPSCAPE_TRY(const MethodTable parent, m_methodTables.read(type.parent));
    HEAPSCAPE_TRY(const Counts parents, countsOf(parent));
    inherited = parents.instance;
  }
  const std::uint64_t own = std::uint64_t{counts.instance} - inherited + counts.statics;
  if (counts.instance < inherited || own > kLimits.fieldsPerType) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The field counts of method table {} contradict its parent's.", toString(type.address)));
  }
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address list, runtime.pointerAt(type.eeClass, "EEClass", "FieldDescList"));
  const Module* module = m_modules.definingModule(m_methodTables, type);
  fields.reserve(own);
  for (std::uint64_t i = 0; i < own; ++i) {
    HEAPSCAPE_TRY(FieldDesc field, readOne(list + i * runtime.contract().sizeOf("FieldDesc"),
                                           module ? module->metadata.get() : nullptr));
    fields.push_back(std::move(field));
  }
  return fields;
}

Result<FieldDesc> FieldDescs::readOne(Address address, const Metadata* metadata) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t first, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord1"));
  HEAPSCAPE_TRY(const std::uint32_t second, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord2"));
  FieldDesc field;
  field.address = address;
  field.row = static_cast<std::uint32_t>(first & contract.constant("FieldDesc.DWord1.TokenMask"));
  field.isStatic = (first & contract.constant("FieldDesc.DWord1.IsStatic")) != 0;
  field.isThreadStatic = (first & contract.constant("FieldDesc.DWord1.IsThreadStatic")) != 0;
  field.isRva = (first & contract.constant("FieldDesc.DWord1.IsRVA")) != 0;
  field.offset = static_cast<std::uint32_t>(second & contract.constant("FieldDesc.DWord2.OffsetMask"));
  field.elementType = static_cast<ElementType>(second >> contract.constant("FieldDesc.DWord2.TypeShift"));
  const auto row = metadata ? metadata->field(field.row) : std::nullopt;
  field.name = row ? std::string(row->name) : fmt::format("field#{}", field.row);
  if (row) field.signature = row->signature;
  return field;
}

}  // namespace heapscape::engine
