// SPDX-License-Identifier: MIT
#include "insight/detectors/struct_candidates.h"

#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "heap/object_head.h"
#include "layout/object_size.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMostFieldBytes = 64;

constexpr std::size_t kMostFields = 10'000;  // of a type and of all structs inside it

/// Structs in each other are what a type says of itself: `fieldsLeft` keeps a damaged one from going on for ever.
StructSize sizeOf(const TypeShapes& shapes, const TypeShape& shape, std::size_t depth, std::size_t& fieldsLeft) {
  StructSize size;
  for (const FieldShape& field : shape.fields) {
    if (!fieldsLeft) break;
    --fieldsLeft;
    std::uint32_t alignment = std::min(field.slot.sizeBytes, kPointerBytes);
    if (field.slot.kind == Slot::Kind::ValueType) {
      const TypeShape* nested = depth < kLimits.nestingDepth ? shapes.find(field.slot.type) : nullptr;
      alignment = nested && nested->kind != TypeShape::Kind::Primitive && nested->kind != TypeShape::Kind::Enum
                      ? sizeOf(shapes, *nested, depth + 1, fieldsLeft).alignment
                      : alignment;
    }
    size.bytes = std::max(size.bytes, field.offset + field.slot.sizeBytes);
    size.alignment = std::max(size.alignment, alignment);
  }
  size.bytes = static_cast<std::uint32_t>(alignUp(std::max(1U, size.bytes), size.alignment));
  return size;
}

/// Whether the type takes more room than its fields need because it is meant to.
bool isSeparated(const DeclaredLayouts& layouts, Address methodTable) {
  const auto type = layouts.find(methodTable);
  const auto why = type ? layouts.separation(*type) : tl::unexpected<Error>(type.error());
  return why && !why->empty();
}

}  // namespace

StructSize structSizeOf(const TypeShapes& shapes, const TypeShape& shape) {
  std::size_t fieldsLeft = kMostFields;
  return sizeOf(shapes, shape, 0, fieldsLeft);
}

std::vector<StructSize> structCandidates(const InsightInput& input, std::uint64_t fewestObjects) {
  const auto& rows = *input.contents.types;
  const MethodTables& methodTables = input.contents.readers->methodTables;
  const std::uint64_t hasFinalizer = input.contents.readers->runtime.contract().constant("MTFlags.HasFinalizer");
  const auto objectType = input.contents.readers->runtime.globalPointer("ObjectMethodTable");
  const auto layouts = DeclaredLayouts::ofDump(input.snapshot);
  std::vector<StructSize> sizes(rows.size());
  const std::vector<std::uint64_t>& counts = input.contents.heap->counts.count;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (counts[i] < fewestObjects || rows[i].componentSize || rows[i].baseSize > kObjectOverheadBytes + kMostFieldBytes)
      continue;
    const auto type = methodTables.read(rows[i].methodTable);
    const bool isPlain = type && objectType && type->parent == *objectType && input.ownership.isOwnType({i}) &&
                         !type->isValueType && !type->isCollectible && !(type->flags & hasFinalizer);
    const TypeShape* shape = isPlain ? input.shapes.find(rows[i].methodTable) : nullptr;
    if (!shape || !shape->damage.empty() || shape->fields.empty()) continue;
    if (!layouts || !isSeparated(*layouts, rows[i].methodTable)) sizes[i] = structSizeOf(input.shapes, *shape);
  }
  for (const TypeRow& row : rows) {
    const auto type = methodTables.read(row.methodTable);
    const TypeIndex::Slot* parent = type ? input.contents.heap->types.find(type->parent.value) : nullptr;
    if (parent) sizes[parent->type] = {};
  }
  return sizes;
}

bool hasIdentity(const InsightInput& input, Address object) {
  // Lock, hash code or sync block in an object's header (src/coreclr/vm/syncblk.h); the bits above are the GC's own.
  constexpr std::uint32_t kHeaderInUse = 0x0fffffff;
  std::uint32_t header = 0;
  return !input.contents.memory->tryRead(object - kHeaderDistance, header) || header & kHeaderInUse;
}

}  // namespace heapscape::engine
