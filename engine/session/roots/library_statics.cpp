// SPDX-License-Identifier: MIT
#include "session/roots/library_statics.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::engine {
namespace {

struct StaticField {
  MethodTable type;
  FieldDesc field;
};

Result<StaticField> findField(const RuntimeReaders& readers, std::string_view typeName, std::string_view fieldName) {
  const Module* library = readers.modules.coreLibrary();
  const std::uint32_t row = library && library->metadata ? library->metadata->findTypeDef(typeName) : 0;
  const Address methodTable = row ? readers.loadedTypes.definition(*library, row) : Address{};
  if (!methodTable) return failure(ErrorCode::NotFound, fmt::format("{} is not loaded.", typeName));
  HEAPSCAPE_TRY(const MethodTable type, readers.methodTables.read(methodTable));
  HEAPSCAPE_TRY(const std::vector<FieldDesc> fields, readers.fields.declaredBy(type));
  const auto found =
      std::ranges::find_if(fields, [&](const FieldDesc& field) { return field.isStatic && field.name == fieldName; });
  if (found == fields.end() || found->elementType != ElementType::Class)
    return failure(ErrorCode::NotFound, fmt::format("{} has no static field {}.", typeName, fieldName));
  return StaticField{type, *found};
}

Result<Address> readSlot(const RuntimeReaders& readers, const StaticsArea& area, const FieldDesc& field) {
  const Address slot = area.slotOf(field);
  return slot ? readers.runtime.memory().readPointer(slot) : Address{};
}

}  // namespace

Result<Address> readLibraryStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field) {
  HEAPSCAPE_TRY(const StaticField found, findField(readers, type, field));
  HEAPSCAPE_TRY(const StaticsArea area, readers.staticFields.areaOf(found.type));
  return readSlot(readers, area, found.field);
}

Result<Address> readLibraryThreadStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field,
                                        Address thread) {
  HEAPSCAPE_TRY(const StaticField found, findField(readers, type, field));
  HEAPSCAPE_TRY(const StaticsArea area, readers.threadStatics.areaOf(found.type, thread));
  return readSlot(readers, area, found.field);
}

}  // namespace heapscape::engine
