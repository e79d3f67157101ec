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
  std::vector<DeclaredField> places;
  HEAPSCAPE_CHECK(placesOf(type, places));
  std::vector<FieldDesc> fields;
  if (places.empty()) return fields;
  const Module* module = m_modules.definingModule(m_methodTables, type);
  const Metadata* metadata = module ? module->metadata.get() : nullptr;
  fields.reserve(places.size());
  for (const DeclaredField& place : places) {
    const auto row = metadata ? metadata->field(place.row) : std::nullopt;
    fields.push_back({place, row ? std::string(row->name) : fmt::format("field#{}", place.row), {}});
    if (row) fields.back().signature = row->signature;
  }
  return fields;
}

Result<void> FieldDescs::placesOf(const MethodTable& type, std::vector<DeclaredField>& places) const {
  places.clear();
  if (type.isArray || type.isContinuation) return {};
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
  const std::uint64_t size = runtime.contract().sizeOf("FieldDesc");
  places.reserve(own);
  for (std::uint64_t i = 0; i < own; ++i) {
    HEAPSCAPE_TRY(const DeclaredField place, readDeclared(list + i * size));
    places.push_back(place);
  }
  return {};
}

Result<DeclaredField> FieldDescs::readDeclared(Address address) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t first, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord1"));
  HEAPSCAPE_TRY(const std::uint32_t second, runtime.valueAt<std::uint32_t>(address, "FieldDesc", "DWord2"));
  DeclaredField place;
  place.address = address;
  place.row = static_cast<std::uint32_t>(first & contract.constant("FieldDesc.DWord1.TokenMask"));
  place.isStatic = (first & contract.constant("FieldDesc.DWord1.IsStatic")) != 0;
  place.isThreadStatic = (first & contract.constant("FieldDesc.DWord1.IsThreadStatic")) != 0;
  place.isRva = (first & contract.constant("FieldDesc.DWord1.IsRVA")) != 0;
  place.offset = static_cast<std::uint32_t>(second & contract.constant("FieldDesc.DWord2.OffsetMask"));
  place.elementType = static_cast<ElementType>(second >> contract.constant("FieldDesc.DWord2.TypeShift"));
  return place;
}

}  // namespace heapscape::engine
