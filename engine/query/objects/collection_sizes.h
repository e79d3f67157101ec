// SPDX-License-Identifier: MIT
#pragma once

#include "query/query_value.h"
#include "values/collections/collection_kinds.h"

namespace heapscape::engine {

/// What objects of a type are as a collection, which takes long to tell; without a kind for what is none.
struct CollectionType {
  const CollectionKind* kind = nullptr;
  const TypeShape* shape = nullptr;  // of the type itself, or of its base that is of the kind
};
CollectionType collectionTypeOf(const InstanceSources& sources, Address methodTable);

struct CollectionSizes {
  QueryValue count;
  QueryValue capacity;  // absent where that says nothing
};
/// Of an object of that type. Absent if it is no collection, unreadable if it is damaged or not in the dump.
CollectionSizes collectionSizesOf(const InstanceSources& sources, const CollectionType& type, Address object);

}  // namespace heapscape::engine
