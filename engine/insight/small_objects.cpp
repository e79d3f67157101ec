// SPDX-License-Identifier: MIT
#include "insight/small_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/count_text.h"
#include "base/limits.h"
#include "heap/object_head.h"
#include "insight/collection_items.h"
#include "insight/insight_groups.h"
#include "layout/object_size.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kFewestObjects = 1000;
constexpr std::uint32_t kMostFieldBytes = 64;
constexpr std::uint64_t kElementsOffset = 16;  // of a vector
constexpr std::uint64_t kReferenceBytes = 8;
constexpr std::size_t kStopInterval = 256;  // collections
constexpr std::uint32_t kNone = ObjectId::kNone;
// Lock, hash code or sync block in an object's header (src/coreclr/vm/syncblk.h); the bits above are the GC's own.
constexpr std::uint32_t kHeaderInUse = 0x0fffffff;

/// Bytes and alignment of a class's fields as a struct would have them.
struct StructSize {
  std::uint32_t bytes = 0, alignment = 1;
};

StructSize sizeOf(const TypeShapes& shapes, const TypeShape& shape, std::size_t depth) {
  StructSize size;
  for (const FieldShape& field : shape.fields) {
    std::uint32_t alignment = std::min<std::uint32_t>(field.slot.sizeBytes, kReferenceBytes);
    if (field.slot.kind == Slot::Kind::ValueType) {
      const TypeShape* nested = depth < kLimits.nestingDepth ? shapes.find(field.slot.type) : nullptr;
      alignment = nested && nested->kind != TypeShape::Kind::Primitive && nested->kind != TypeShape::Kind::Enum
                      ? sizeOf(shapes, *nested, depth + 1).alignment
                      : alignment;
    }
    size.bytes = std::max(size.bytes, field.offset + field.slot.sizeBytes);
    size.alignment = std::max(size.alignment, alignment);
  }
  size.bytes = static_cast<std::uint32_t>(alignUp(std::max(1U, size.bytes), size.alignment));
  return size;
}

class SmallObjectFinder {
 public:
  SmallObjectFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input), m_shapes(*input.contents.readers), m_items(input), m_stop(std::move(stop)) {
    findTypes();
  }

  Outcome<void> find(FoundInsights& found) {
    std::size_t steps = 0;
    for (const SurveyedCollection& collection : m_input.collections.collections()) {
      if (collection.count < kFewestObjects) continue;
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      look(collection);
    }
    for (const std::uint32_t array : m_input.objectsOf(m_arrays)) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (!m_input.collections.isStorage(array)) look(array);
    }
    const auto describe = [&](Insight& insight, const InsightGroup& group) { this->describe(insight, group); };
    const auto textOf = [&](std::uint32_t holder) { return textsOfHolders(holder); };
    m_groups.finish(m_input, InsightKind::SmallObjects, describe, found, textOf);
    return {};
  }

 private:
  /// Classes of the program's own that could be structs: without base class, finalizer and subclasses of theirs in use.
  void findTypes() {
    const auto& rows = *m_input.contents.types;
    const MethodTables& methodTables = m_input.contents.readers->methodTables;
    const Contract& contract = m_input.contents.readers->runtime.contract();
    const auto objectType = m_input.contents.readers->runtime.globalPointer("ObjectMethodTable");
    m_structBytes.resize(rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const auto type = methodTables.read(rows[i].methodTable);
      if (!type) continue;
      if (m_input.contents.typeReferences->isArray({i})) {
        if (type->isSzArray && rows[i].componentSize == kReferenceBytes && type->containsPointers)
          m_arrays.push_back({i});
        continue;
      }
      const bool isPlain = m_input.ownership.isOwnType({i}) && !type->isValueType && !type->isCollectible &&
                           objectType && type->parent == *objectType &&
                           !(type->flags & contract.constant("MTFlags.HasFinalizer"));
      if (!isPlain || rows[i].componentSize || rows[i].baseSize > kObjectOverheadBytes + kMostFieldBytes) continue;
      const TypeShape* shape = m_shapes.find(rows[i].methodTable);
      if (shape && shape->damage.empty() && !shape->fields.empty())
        m_structBytes[i] = sizeOf(m_shapes, *shape, 0).bytes;
    }
    for (const TypeRow& row : rows) {
      const auto type = methodTables.read(row.methodTable);
      const TypeIndex::Slot* parent = type ? m_input.contents.heap->types.find(type->parent.value) : nullptr;
      if (parent) m_structBytes[parent->type] = 0;
    }
  }

  void look(const SurveyedCollection& collection) {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    const bool isInArray = type.form == CollectionForm::Items || type.form == CollectionForm::Entries;
    if (!isInArray || type.valueBytes != kReferenceBytes || type.kind == "HashSet") return;
    const std::uint32_t storage = collection.storage[0];
    if (!m_input.isHeldOnlyBy(storage, collection.object)) return;
    begin(storage);
    const bool isWhole = m_items.forEach(collection, [&](const SurveyedItem& item) { return add(item.value); });
    if (!isWhole || !m_isAlike || m_objects.size() < kFewestObjects) return;
    const std::uint64_t slots = collection.capacity;
    const std::uint64_t bytes = m_structBytes[m_type];
    const std::uint64_t growth = type.form == CollectionForm::Items ? growthOfArray(storage, slots)
                                                                    : slots * (alignUp(bytes, 8) - kReferenceBytes);
    save(collection.object, growth);
  }

  void look(std::uint32_t array) {
    std::uint32_t length = 0;
    if (!m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, length)) return;
    if (length < kFewestObjects) return;
    begin(array);
    for (std::uint64_t i = 0; i < length; ++i) {
      if (!add(m_input.addressOf(array) + kElementsOffset + i * kReferenceBytes)) return;
    }
    if (m_objects.size() == length) save(array, growthOfArray(array, length));
  }

  void begin(std::uint32_t storage) {
    m_storage = storage;
    m_type = kNone;
    m_isAlike = true;
    m_objects.clear();
  }

  /// False if the item is no object that this storage alone holds, or one of another type than those before.
  bool add(Address place) {
    m_isAlike = false;
    Address address;
    if (!m_input.contents.memory->tryRead(place, address) || !address) return false;
    const std::uint32_t object = m_input.contents.heap->index.idOf(address).value;
    const std::uint32_t type = object == kNone ? kNone : m_input.objectTypes[object];
    if (type >= m_structBytes.size() || !m_structBytes[type] || (!m_objects.empty() && type != m_type)) return false;
    std::uint32_t header = 0;
    if (!m_input.contents.memory->tryRead(address - kHeaderDistance, header) || header & kHeaderInUse) return false;
    if (!m_input.isHeldOnlyBy(object, m_storage)) return false;
    m_type = type;
    m_objects.push_back(object);
    m_isAlike = true;
    return true;
  }

  std::uint64_t growthOfArray(std::uint32_t array, std::uint64_t slots) const {
    constexpr std::uint64_t kBaseBytes = 24;  // of an array without elements
    const std::uint64_t then = alignUp(kBaseBytes + slots * m_structBytes[m_type], 8);
    return then - std::min(then, m_input.bytesOf(array));
  }

  void save(std::uint32_t holder, std::uint64_t growth) {
    std::uint64_t bytes = 0;
    for (const std::uint32_t object : m_objects) bytes += m_input.bytesOf(object);
    if (bytes <= growth) return;
    InsightGroup& group = m_groups.of(m_input, {m_type}, holder);
    group.add(holder, bytes - growth);
    m_counts[holder] = m_objects.size();
    for (const std::uint32_t object : m_objects) {
      const std::uint64_t less = std::min(growth, m_input.bytesOf(object));
      group.claim(object, m_input.bytesOf(object) - less);
      growth -= less;
    }
  }

  void describe(Insight& insight, const InsightGroup& group) const {
    insight.objects = 0;
    for (const Ownership::Share& share : group.shares()) insight.objects += m_counts.at(share.object);
    const std::uint64_t structBytes = m_structBytes[group.type().value];
    insight.title = fmt::format("{} that only {} refers to", countOf(insight.objects, "small " + insight.subject),
                                group.objects() == 1 ? "one collection" : "their collection");
    insight.advice = fmt::format(
        "As a struct of {} bytes each would lie in the collection itself, without header, method table and the "
        "reference to it: 24 bytes less. Fit where they have no identity: nobody compares, locks or changes them "
        "through two references.",
        structBytes);
    insight.facts = {{"Bytes of an object", readableCount(m_input.row(group.type()).baseSize)},
                     {"Bytes as a struct", readableCount(structBytes)},
                     {"Collections", readableCount(group.objects())}};
  }

  std::string textsOfHolders(std::uint32_t holder) const {
    return fmt::format("{} in one {}", readableCount(m_counts.at(holder)),
                       m_input.row({m_input.objectTypes[holder]}).name);
  }

  const InsightInput& m_input;
  TypeShapes m_shapes;
  CollectionItems m_items;
  std::stop_token m_stop;
  std::vector<std::uint32_t> m_structBytes;  // by TypeId; 0 for what could not be a struct
  std::vector<TypeId> m_arrays;              // of references
  GroupsByType m_groups;
  std::map<std::uint32_t, std::size_t> m_counts;  // small objects by their collection or array

  // Of the collection in hand.
  std::uint32_t m_storage = kNone, m_type = kNone;
  bool m_isAlike = true;
  std::vector<std::uint32_t> m_objects;
};

}  // namespace

Outcome<void> SmallObjects::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                 std::stop_token stop) const {
  return SmallObjectFinder(input, std::move(stop)).find(found);
}

}  // namespace heapscape::engine
