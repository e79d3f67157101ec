// SPDX-License-Identifier: MIT
#include "insight/collection_storage.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count_text.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kNone = SurveyedCollection::kNone;

/// What an object refers to, each once, if it alone does.
std::vector<std::uint32_t> heldBy(const InsightInput& input, std::uint32_t holder) {
  const EdgeRows edges = input.contents.graph->edges();
  std::vector<std::uint32_t> held;
  for (std::uint32_t i = edges.rows[holder]; i < edges.rows[holder + 1]; ++i) {
    if (input.isHeldOnlyBy(edges.targets[i], holder)) held.push_back(edges.targets[i]);
  }
  return held;
}

/// A ConcurrentDictionary's tables: an object with buckets, counts, and an array of objects to lock.
std::vector<std::uint32_t> tablesOf(const InsightInput& input, const SurveyedCollection& collection) {
  const std::uint32_t tables = collection.storage[0];
  if (!input.isHeldOnlyBy(tables, collection.object)) return {};
  std::vector<std::uint32_t> storage{tables};
  for (const std::uint32_t part : heldBy(input, tables)) {
    const TypeId type{input.objectTypes[part]};
    if (type.isNone() || !input.contents.typeReferences->isArray(type)) continue;
    storage.push_back(part);
    if (part == collection.storage[1]) continue;
    const auto locks = heldBy(input, part);
    storage.insert(storage.end(), locks.begin(), locks.end());
  }
  return storage;
}

}  // namespace

std::vector<std::uint32_t> storageOf(const InsightInput& input, const SurveyedCollection& collection) {
  const CollectionForm form = input.collections.typeOf(collection).form;
  if (form == CollectionForm::Chains) return tablesOf(input, collection);
  std::vector<std::uint32_t> storage;
  const std::size_t arrays = form == CollectionForm::Characters ? 1 : collection.storage.size();
  for (std::size_t i = 0; i < arrays; ++i) {
    const std::uint32_t array = collection.storage[i];
    if (array != kNone && input.isHeldOnlyBy(array, collection.object)) storage.push_back(array);
  }
  return storage;
}

std::string fillOf(const SurveyedCollection& collection) {
  return fmt::format("{} of {}", readableCount(collection.count), countOf(collection.capacity, "slot"));
}

bool addWhole(const InsightInput& input, const SurveyedCollection& collection, std::uint64_t less,
              GroupsByType& groups) {
  const SurveyedType& type = input.collections.typeOf(collection);
  std::vector<std::uint32_t> parts = storageOf(input, collection);
  if (type.isLibrarys) parts.insert(parts.begin(), collection.object);
  std::uint64_t bytes = 0;
  for (const std::uint32_t part : parts) bytes += input.bytesOf(part);
  if (bytes <= less) return false;
  InsightGroup& group = groups.of(input, type.type, collection.object);
  group.add(collection.object, bytes - less);
  for (const std::uint32_t part : parts) {
    const std::uint64_t kept = std::min(less, input.bytesOf(part));
    group.claim(part, input.bytesOf(part) - kept);
    less -= kept;
  }
  return true;
}

}  // namespace heapscape::engine
