// SPDX-License-Identifier: MIT
#include "insight/detectors/box_collections.h"

#include <algorithm>

#include "base/address.h"
#include "base/stop_interval.h"
#include "insight/collections/collection_items.h"
#include "insight/detectors/struct_candidates.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {
namespace {

/// The keys or the values of a collection, as far as they are boxes of one type.
class BoxColumn {
 public:
  BoxColumn(const InsightInput& input, const TypeShapes& shapes, const std::vector<std::uint32_t>& valueBytes)
      : m_input(input), m_shapes(shapes), m_valueBytes(valueBytes) {}

  /// False if the item is neither null nor a box, or one of another type than those before.
  bool add(Address place) {
    Address box;
    if (!m_input.contents.memory->tryRead(place, box)) return false;
    m_hasNull |= !box;
    if (!box) return true;
    const std::uint32_t object = m_input.contents.heap->index.idOf(box).value;
    const std::uint32_t type = object == kNone ? kNone : m_input.objectTypes[object];
    if (type >= m_valueBytes.size() || !m_valueBytes[type] || (!m_boxes.empty() && type != m_type)) return false;
    m_type = type;
    m_boxes.push_back(object);
    return true;
  }

  bool isEmpty() const { return m_boxes.empty(); }
  /// What a typed collection needs for each: a Nullable if there are nulls.
  std::uint32_t valueBytes() const {
    const TypeShape* shape = m_hasNull ? m_shapes.find(m_input.row({m_type}).methodTable) : nullptr;
    return shape ? structSizeOf(m_shapes, *shape).nullableBytes() : m_valueBytes[m_type];
  }

  /// `growth`: of all slots together. False if the values would take up more than the boxes do.
  bool save(std::uint32_t storage, std::uint64_t growth, BoxCollections& result) {
    std::ranges::sort(m_boxes);
    const auto repeated = std::ranges::unique(m_boxes);
    m_boxes.erase(repeated.begin(), repeated.end());
    std::erase_if(m_boxes, [&](std::uint32_t box) { return !isHeldBy(box, storage); });
    std::uint64_t bytes = 0;
    for (const std::uint32_t box : m_boxes) bytes += m_input.bytesOf(box);
    if (bytes <= growth) return false;
    const std::uint64_t left = (bytes - growth) / 8;
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
      result.savedBytes[m_boxes[i]] = (left * (i + 1) / m_boxes.size() - left * i / m_boxes.size()) * 8;
    return true;
  }

 private:
  bool isHeldBy(std::uint32_t box, std::uint32_t storage) const {
    const auto holders = m_input.reverse->of(box);
    return !holders.empty() && holders.front() == storage && holders.back() == storage &&
           !m_input.ownership.isRooted(box);
  }

  const InsightInput& m_input;
  const TypeShapes& m_shapes;
  const std::vector<std::uint32_t>& m_valueBytes;
  std::uint32_t m_type = kNone;
  bool m_hasNull = false;
  std::vector<std::uint32_t> m_boxes;
};

class BoxCollectionFinder {
 public:
  BoxCollectionFinder(const InsightInput& input, const std::vector<std::uint32_t>& valueBytes, std::stop_token stop)
      : m_input(input),
        m_shapes(*input.contents.readers),
        m_valueBytes(valueBytes),
        m_items(input),
        m_stop(std::move(stop)) {}

  Outcome<BoxCollections> find() {
    std::size_t steps = 0;
    for (const SurveyedCollection& collection : m_input.collections.collections()) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      look(collection);
    }
    for (const std::uint32_t array : objectArrays()) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (!m_input.collections.isStorage(array)) look(array);
    }
    return std::move(m_result);
  }

 private:
  std::vector<std::uint32_t> objectArrays() const {
    std::vector<TypeId> types;
    for (std::uint32_t i = 0; i < m_input.contents.types->size(); ++i) {
      if (m_input.row({i}).name == "System.Object[]") types.push_back({i});
    }
    return m_input.objectsOf(types);
  }

  void look(const SurveyedCollection& collection) {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    const bool isInArray = type.form == CollectionForm::Items || type.form == CollectionForm::Entries ||
                           type.form == CollectionForm::Buckets;
    if (!collection.count || !isInArray) return;
    lookAt(collection, type.valueBytes == kPointerBytes, &SurveyedItem::value);
    if (type.keyBytes == kPointerBytes) lookAt(collection, true, &SurveyedItem::key);
  }

  void lookAt(const SurveyedCollection& collection, bool mayBeReference, Address SurveyedItem::*place) {
    if (!mayBeReference) return;
    BoxColumn column(m_input, m_shapes, m_valueBytes);
    bool areBoxes = true;
    const bool isWhole = m_items.forEach(collection, [&](const SurveyedItem& item) {
      areBoxes = column.add(item.*place);
      return areBoxes;
    });
    if (!isWhole || !areBoxes || column.isEmpty()) return;
    const std::uint32_t storage = collection.storage[0];
    const CollectionForm form = m_input.collections.typeOf(collection).form;
    m_result.collections +=
        column.save(storage,
                    form == CollectionForm::Items ? growthOfArray(storage, collection.capacity, column.valueBytes())
                                                  : growthOfEntries(collection.capacity, column.valueBytes()),
                    m_result);
  }

  void look(std::uint32_t array) {
    BoxColumn column(m_input, m_shapes, m_valueBytes);
    std::uint32_t length = 0;
    if (!m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, length)) return;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (!column.add(m_input.addressOf(array) + kElementsOffset + i * kPointerBytes)) return;
    }
    if (!column.isEmpty())
      m_result.collections += column.save(array, growthOfArray(array, length, column.valueBytes()), m_result);
  }

  std::uint64_t growthOfArray(std::uint32_t array, std::uint64_t slots, std::uint64_t valueBytes) const {
    constexpr std::uint64_t kBaseBytes = 24;  // of an array without elements
    const std::uint64_t then = alignUp(kBaseBytes + slots * valueBytes, 8);
    return then - std::min(then, m_input.bytesOf(array));
  }

  static std::uint64_t growthOfEntries(std::uint64_t slots, std::uint64_t valueBytes) {
    return slots * (alignUp(std::max<std::uint64_t>(valueBytes, kPointerBytes), 8) - kPointerBytes);
  }

  const InsightInput& m_input;
  TypeShapes m_shapes;
  const std::vector<std::uint32_t>& m_valueBytes;
  CollectionItems m_items;
  std::stop_token m_stop;
  BoxCollections m_result;
};

}  // namespace

std::vector<std::uint32_t> boxTypes(const InsightInput& input) {
  const MethodTables& methodTables = input.contents.readers->methodTables;
  std::vector<std::uint32_t> valueBytes(input.contents.types->size());
  for (std::uint32_t i = 0; i < valueBytes.size(); ++i) {
    const TypeRow& row = input.row({i});
    if (row.isFree || row.componentSize) continue;
    const auto type = methodTables.read(row.methodTable);
    if (type && type->isValueType) valueBytes[i] = methodTables.valueSize(*type).value_or(0);
  }
  return valueBytes;
}

Outcome<BoxCollections> findBoxCollections(const InsightInput& input, const std::vector<std::uint32_t>& valueBytes,
                                           const std::stop_token& stop) {
  return BoxCollectionFinder(input, valueBytes, stop).find();
}

}  // namespace heapscape::engine
