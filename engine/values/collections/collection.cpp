// SPDX-License-Identifier: MIT
#include "values/collections/collection.h"

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

}  // namespace heapscape::engine
