// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include "values/weak_target.h"

namespace heapscape::engine {

Result<std::unique_ptr<Collection>> makeWeakReference(const Instance& reference) {
  CollectionFacts facts{.labels = ItemLabels::None, .state = "without target", .isHolder = true};
  HEAPSCAPE_TRY(const Address anyType, reference.sources().readers.runtime.globalPointer("ObjectMethodTable"));
  facts.valueType = reference.typeArgument(0).value_or(anyType);
  HEAPSCAPE_TRY(const WeakTarget target, weakTarget(reference));
  std::vector<ItemPlace> items;
  if (target.object) {
    facts.state = "alive";
    items.push_back({{}, target.place, "Target"});
  }
  facts.count = items.size();
  return std::make_unique<FewItems>(std::move(facts), std::move(items));
}

}  // namespace heapscape::engine
