// SPDX-License-Identifier: MIT
#include "values/collections/collection.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::engine {

Result<CollectionFacts> keyedFacts(const Instance& instance) {
  CollectionFacts facts{.labels = ItemLabels::Key, .hasKeys = true};
  HEAPSCAPE_TRY(facts.keyType, instance.typeArgument(0));
  HEAPSCAPE_TRY(facts.valueType, instance.typeArgument(1));
  return facts;
}

Result<CollectionFacts> itemFacts(const Instance& instance, ItemLabels labels) {
  CollectionFacts facts{.labels = labels};
  HEAPSCAPE_TRY(facts.valueType, instance.typeArgument(0));
  return facts;
}

Result<CollectionFacts> objectFacts(const Instance& instance) {
  CollectionFacts facts{.labels = ItemLabels::Key, .hasKeys = true};
  HEAPSCAPE_TRY(facts.keyType, instance.sources().readers.runtime.globalPointer("ObjectMethodTable"));
  facts.valueType = facts.keyType;
  return facts;
}

std::string FewItems::collect(ItemCollector& items) const {
  for (const ItemPlace& item : m_items) {
    if (!items.offer(item)) break;
  }
  return {};
}

namespace {

CollectionFacts withCountChecked(CollectionFacts facts, std::uint64_t slots) {
  if (facts.damage.empty()) facts.damage = countDamage(facts.count, slots);
  return facts;
}

}  // namespace

std::string countDamage(std::uint64_t count, std::uint64_t slots) {
  if (count <= slots) return {};
  return fmt::format("The count of {} goes beyond the {} slots that are allocated.", count, slots);
}

IndexedItems::IndexedItems(CollectionFacts facts, const IndexedStorage& storage)
    : Collection(withCountChecked(std::move(facts), storage.slots)),
      m_storage(storage),
      m_readable(std::min(this->facts().count, storage.slots)) {}

std::uint64_t IndexedItems::itemsBefore(Address place) const {
  const auto slotIn = [&](Address first, std::uint64_t stride) -> std::optional<std::uint64_t> {
    if (!first || !stride || place < first || (place - first) / stride >= m_storage.slots) return std::nullopt;
    return (place - first) / stride;
  };
  auto slot = slotIn(m_storage.values, m_storage.valueStride);
  if (!slot) slot = slotIn(m_storage.keys, m_storage.keyStride);
  if (!slot) return 0;
  const std::uint64_t ordinal = (*slot + m_storage.slots - m_storage.firstSlot % m_storage.slots) % m_storage.slots;
  if (ordinal >= m_readable) return 0;
  return m_storage.isReversed ? m_readable - 1 - ordinal : ordinal;
}

std::string IndexedItems::collect(ItemCollector& items) const {
  std::uint64_t index = std::min(items.unwanted(), m_readable);
  items.skip(index);
  for (; index < m_readable; ++index) {
    const std::uint64_t ordinal = m_storage.isReversed ? m_readable - 1 - index : index;
    const std::uint64_t slot = (m_storage.firstSlot + ordinal) % m_storage.slots;
    ItemPlace place{{}, m_storage.values + slot * m_storage.valueStride};
    if (facts().hasKeys) place.key = m_storage.keys + slot * m_storage.keyStride;
    if (!items.offer(std::move(place))) break;
  }
  return {};
}

}  // namespace heapscape::engine
