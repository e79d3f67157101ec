// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <algorithm>

#include "values/collections/indexed_items.h"

namespace heapscape::engine {
namespace {

/// As the class that it is, which has the fields.
Result<Instance> wholeOf(const Instance& base) {
  return Instance::at(base.sources(), base.object());
}

bool isEmptyOne(const Instance& frozen) {
  return frozen.shape().name.starts_with("System.Collections.Frozen.EmptyFrozen");
}

/// An array of that name, or the hash codes where those are the keys themselves.
Result<ManagedArray> contentsOf(const Instance& frozen, std::string_view field) {
  if (isEmptyOne(frozen)) return ManagedArray{};
  if (frozen.field(field)) return readArray(frozen, field);
  HEAPSCAPE_TRY(const Instance table, frozen.inner("_hashTable"));
  return readArray(table, "<HashCodes>k__BackingField");
}

}  // namespace

Result<std::unique_ptr<Collection>> makeFrozenDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  HEAPSCAPE_TRY(const Instance whole, wholeOf(dictionary));
  HEAPSCAPE_TRY(const ManagedArray keys, contentsOf(whole, "_keys"));
  ManagedArray values;
  if (!isEmptyOne(whole)) {
    HEAPSCAPE_TRY(values, readArray(whole, "_values"));
  }
  facts.count = keys.count;
  if (keys.count != values.count)
    facts.damage = fmt::format("There are {} keys and {} values.", keys.count, values.count);
  return std::make_unique<IndexedItems>(std::move(facts), IndexedStorage{.keys = keys.data,
                                                                         .values = values.data,
                                                                         .keyStride = keys.elementSize,
                                                                         .valueStride = values.elementSize,
                                                                         .slots = std::min(keys.count, values.count)});
}

Result<std::unique_ptr<Collection>> makeFrozenSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  HEAPSCAPE_TRY(const Instance whole, wholeOf(set));
  HEAPSCAPE_TRY(const ManagedArray items, contentsOf(whole, "_items"));
  facts.count = items.count;
  return std::make_unique<IndexedItems>(
      std::move(facts), IndexedStorage{.values = items.data, .valueStride = items.elementSize, .slots = items.count});
}

}  // namespace heapscape::engine
