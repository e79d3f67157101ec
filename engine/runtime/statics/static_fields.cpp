// SPDX-License-Identifier: MIT
#include "runtime/statics/static_fields.h"

#include "runtime/statics/module_statics.h"

namespace heapscape::engine {

Result<StaticsArea> StaticFields::areaOf(const MethodTable& type) const {
  return m_methodTables.runtime().contract().has("Module", "DomainLocalModule") ? areaInModule(type)
                                                                                : areaBesideMethodTable(type);
}

// Since .NET 9 a DynamicStaticsInfo lies right before the auxiliary data of a type that has statics
// (src/coreclr/vm/methodtable.h). The lowest bit of its pointers says that the constructor has not run.
Result<StaticsArea> StaticFields::areaBesideMethodTable(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t flags2, runtime.valueAt<std::uint32_t>(type.address, "MethodTable", "Flags2"));
  if ((flags2 & contract.constant("MTFlags2.DynamicStatics")) == 0) return StaticsArea{};
  HEAPSCAPE_TRY(const Address auxiliary, runtime.pointerAt(type.address, "MethodTable", "AuxiliaryData"));
  const Address info = auxiliary - contract.sizeOf("DynamicStaticsInfo");
  HEAPSCAPE_TRY(const Address gc, runtime.pointerAt(info, "DynamicStaticsInfo", "GCStatics"));
  HEAPSCAPE_TRY(const Address nonGc, runtime.pointerAt(info, "DynamicStaticsInfo", "NonGCStatics"));
  const std::uint64_t mask = contract.constant("StaticsPointerMask");
  return StaticsArea{.references = {gc.value & mask},
                     .others = {nonGc.value & mask},
                     .isInitialised = ((gc.value | nonGc.value) & ~mask) == 0};
}

// .NET 8 keeps them by loader module (DomainLocalModule, src/coreclr/vm/appdomain.hpp): the area that all ordinary
// types of the module share, or an entry of the type's own.
Result<StaticsArea> StaticFields::areaInModule(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address loaderModule, m_methodTables.loaderModule(type));
  HEAPSCAPE_TRY(const Address statics, runtime.pointerAt(loaderModule, "Module", "DomainLocalModule"));
  if (!statics) return StaticsArea{};
  const ModuleStatics holder(m_methodTables, m_fields, "DomainLocalModule", statics);
  HEAPSCAPE_TRY(const auto entryId, holder.entryIdOf(type));
  StaticsArea area;
  if (!entryId) {
    area.others = statics;
    HEAPSCAPE_TRY(area.references, runtime.pointerAt(statics, "DomainLocalModule", "GCStatics"));
    HEAPSCAPE_TRY(area.isInitialised, holder.isInitialised(type));
    return area;
  }
  HEAPSCAPE_TRY(const ModuleStatics::Entry entry, holder.entry(*entryId));
  if (!entry.address) return area;
  if (type.isCollectible) {
    HEAPSCAPE_TRY(area, holder.collectibleArea(entry, type));
  } else {
    area.others = entry.address;
    HEAPSCAPE_TRY(area.references, runtime.memory().readPointer(entry.address));
  }
  area.isInitialised = entry.isInitialised;
  return area;
}

Result<Address> StaticFields::addressOfRva(const FieldDesc& field, const MethodTable& type) const {
  const Module* module = m_modules.definingModule(m_methodTables, type);
  if (!module) return failure(ErrorCode::NotFound, "The module of the field's type cannot be told.");
  return m_modules.addressOfRva(*module, field.offset);
}

}  // namespace heapscape::engine
