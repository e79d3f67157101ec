// SPDX-License-Identifier: MIT
#include "values/reading/item_finder.h"

#include <algorithm>

#include "values/collections/kinds/collection_kinds.h"
#include "values/string_object.h"

namespace heapscape::engine {
namespace {

class ItemFinder {
 public:
  ItemFinder(const ValueReader& values, const RecognisedCollection& recognised, const Collection& collection,
             Address place)
      : m_values(values), m_kind(recognised.kind->name), m_facts(collection.facts()), m_place(place) {
    m_keyBytes = m_facts.hasKeys ? bytesOf(m_facts.keyType) : 0;
    m_valueBytes = bytesOf(m_facts.valueType);
  }

  std::optional<FoundItem> find(const Collection& collection, Address holder, std::uint64_t& looks) const {
    std::optional<FoundItem> found;
    if (const auto item = m_facts.hasKeys ? collection.itemIn(holder) : std::nullopt; item && isAround(*item)) {
      found = describe(*item);
      if (!found->isKey && found->isToldByKey()) return found;
    }
    const std::uint64_t first = collection.itemsBefore(m_place);
    bool isThere = false;
    const auto look = [&](const ItemPlace& item) {
      isThere = isAround(item);
      if (isThere && !found) found = describe(item);
      return !isThere && looks-- > 1;
    };
    if (looks == 0) return found;
    ItemCollector collector(look, {}, first);
    collection.collect(collector);
    if (isThere) found->ordinal = collector.offered() - 1;
    return found;
  }

 private:
  std::uint64_t bytesOf(TypeHandle type) const { return m_values.shapes().slotOf(type).sizeBytes; }

  bool isWithin(Address start, std::uint64_t bytes) const {
    return start && m_place >= start && m_place - start < bytes;
  }
  bool isAround(const ItemPlace& item) const {
    return isWithin(item.value, m_valueBytes) || isWithin(item.key, m_keyBytes);
  }

  FoundItem describe(const ItemPlace& item) const {
    FoundItem found;
    found.kind = m_kind;
    found.hasKeys = m_facts.hasKeys;
    found.isKey = !isWithin(item.value, m_valueBytes);
    found.type = found.isKey ? m_facts.keyType : m_facts.valueType;
    found.innerOffset = m_place - (found.isKey ? item.key : item.value);
    if (m_facts.hasKeys) {
      found.keyType = m_values.sources().readers.names.nameOf(m_facts.keyType);
      found.key = m_values.readValue(m_facts.keyType, item.key).value;
    }
    return found;
  }

  const ValueReader& m_values;
  std::string_view m_kind;
  const CollectionFacts& m_facts;
  Address m_place;
  std::uint64_t m_keyBytes = 0, m_valueBytes = 0;
};

}  // namespace

bool FoundItem::isToldByKey() const {
  switch (key.kind) {
    case ValueKind::Boolean:
    case ValueKind::Character:
    case ValueKind::Integer:
    case ValueKind::Enum:
    case ValueKind::Pointer:
      return true;
    case ValueKind::Reference:
      return isStringObject(key);
    default:
      return false;
  }
}

std::optional<FoundItem> findItem(const ValueReader& values, Address collection, Address holder, Address place,
                                  std::uint64_t& looks) {
  const InstanceSources sources = values.instances();
  const auto instance = Instance::at(sources, collection);
  const auto recognised = instance ? recogniseCollection(*instance) : std::nullopt;
  if (!recognised) return std::nullopt;
  const auto opened = openCollection(*recognised);
  if (!opened) return std::nullopt;
  return ItemFinder(values, *recognised, **opened, place).find(**opened, holder, looks);
}

}  // namespace heapscape::engine
