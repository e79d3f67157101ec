// SPDX-License-Identifier: MIT
#include "runtime/types/field_descs.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "runtime/types/ee_class.h"

namespace heapscape::engine {

namespace {

tl::unexpected<Error> noAotFields() {
  return failure(ErrorCode::NotFound, "A Native AOT program does not tell of the fields of its types.");
}

}  // namespace

Result<std::vector<FieldDesc>> FieldDescs::declaredBy(const MethodTable& type) const {
  std::vector<FieldDesc> fields;
  if (type.isArray || type.isContinuation) return fields;
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (runtime.aot()) return noAotFields();
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  std::uint32_t inherited = 0;
  if (type.parent) {
    HEAPSCAPE_TRY(const MethodTable parent, m_methodTables.read(type.parent));
    HEAPSCAPE_TRY(const EEClassCounts parents, readEEClassCounts(runtime, parent));
    inherited = parents.instanceFields;
  }
  const std::uint64_t own = std::uint64_t{counts.instanceFields} - inherited + counts.staticFields;
  if (counts.instanceFields < inherited || own > kLimits.fieldsPerType) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The field counts of method table {} contradict its parent's.", toString(type.address)));
  }
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
