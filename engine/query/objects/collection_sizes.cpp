// SPDX-License-Identifier: MIT
#include "query/objects/collection_sizes.h"

namespace heapscape::engine {

CollectionType collectionTypeOf(const InstanceSources& sources, Address methodTable) {
  const TypeShape* shape = sources.shapes.find(methodTable);
  const auto recognised = shape ? recogniseCollection(Instance(sources, *shape, {})) : std::nullopt;
  return recognised ? CollectionType{recognised->kind, &recognised->instance.shape()} : CollectionType{};
}

CollectionSizes collectionSizesOf(const InstanceSources& sources, const CollectionType& type, Address object) {
  if (!type.kind) return {};
  const auto collection = openCollection({type.kind, {sources, *type.shape, object + Instance::kFieldsOffset}});
  if (!collection) {
    if (collection.error().code == ErrorCode::NotFound) return {};
    return {QueryValue::unreadable(), QueryValue::unreadable()};
  }
  const CollectionFacts& facts = (*collection)->facts();
  return {QueryValue::ofNumber(facts.count), facts.capacity ? QueryValue::ofNumber(facts.capacity) : QueryValue()};
}

}  // namespace heapscape::engine
