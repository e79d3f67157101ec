// SPDX-License-Identifier: MIT
#include "insight/collections/collection_storage.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "insight/collections/linked_parts.h"

namespace heapscape::engine {
namespace {

/// How many references lead to each part from the collection and its other parts. Arrays of items refer to none of them
/// as a rule, so that they are looked through only where something is missing without.
std::vector<std::uint64_t> referencesWithin(const InsightInput& input, std::uint32_t collection,
                                            const std::vector<std::uint32_t>& parts) {
  std::vector<std::uint64_t> within(parts.size());
  const EdgeRows edges = input.contents.graph->edges();
  const auto countFrom = [&](std::uint32_t object) {
    for (const std::uint32_t target : edges.targetsOf(object)) {
      const auto part = std::ranges::lower_bound(parts, target);
      if (part != parts.end() && *part == target) ++within[static_cast<std::size_t>(part - parts.begin())];
    }
  };
  const auto isArray = [&](std::uint32_t part) {
    return input.contents.typeReferences->isArray({input.objectTypes[part]});
  };
  countFrom(collection);
  for (const std::uint32_t part : parts) {
    if (!isArray(part)) countFrom(part);
  }
  const auto isMissing = [&](std::size_t i) {
    const std::uint32_t all = input.references.of(parts[i]);
    return within[i] < all || all == ReferenceCounts::kMany;
  };
  bool areMissing = false;
  for (std::size_t i = 0; i < parts.size(); ++i) areMissing |= isMissing(i);
  for (std::size_t i = 0; areMissing && i < parts.size(); ++i) {
    if (isArray(parts[i])) countFrom(parts[i]);
  }
  return within;
}

/// Leaves those that nothing outside refers to, in ascending order.
void keepOwn(const InsightInput& input, std::uint32_t collection, std::vector<std::uint32_t>& parts) {
  std::ranges::sort(parts);
  std::vector<std::uint8_t> isOthers(parts.size());
  std::vector<std::uint32_t> others;
  const auto drop = [&](std::size_t i) {
    if (!std::exchange(isOthers[i], 1)) others.push_back(parts[i]);
  };
  const std::vector<std::uint64_t> within = referencesWithin(input, collection, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (input.ownership.isRooted(parts[i]) || !input.isReferredBy(parts[i], within[i])) drop(i);
  }
  const EdgeRows edges = input.contents.graph->edges();
  while (!others.empty()) {
    const std::uint32_t other = others.back();
    others.pop_back();
    for (const std::uint32_t target : edges.targetsOf(other)) {
      const auto part = std::ranges::lower_bound(parts, target);
      if (part != parts.end() && *part == target) drop(static_cast<std::size_t>(part - parts.begin()));
    }
  }
  std::size_t at = 0;
  std::erase_if(parts, [&](std::uint32_t) { return isOthers[at++] != 0; });
}

/// Where there is nothing but arrays, a look at each will do.
std::vector<std::uint32_t> ownArrays(const InsightInput& input, const SurveyedType& type,
                                     const SurveyedCollection& collection) {
  std::vector<std::uint32_t> own;
  const std::size_t arrays = type.form == CollectionForm::Characters ? 1 : collection.storage.size();
  for (std::size_t i = 0; i < arrays; ++i) {
    const std::uint32_t array = collection.storage[i];
    if (array != kNone && input.isHeldOnlyBy(array, collection.object)) own.push_back(array);
  }
  return own;
}

std::vector<std::uint32_t> ownParts(const InsightInput& input, const SurveyedCollection& collection, bool withNodes) {
  const SurveyedType& type = input.collections.typeOf(collection);
  if (type.parts.empty() && type.nodes.empty()) return ownArrays(input, type, collection);
  std::vector<std::uint32_t> parts = linkedParts(input, type, collection, withNodes);
  keepOwn(input, collection.object, parts);
  return parts;
}

}  // namespace

std::vector<std::uint32_t> storageOf(const InsightInput& input, const SurveyedCollection& collection) {
  return ownParts(input, collection, false);
}

std::string fillOf(const SurveyedCollection& collection) {
  return fmt::format("{} of {}", readableCount(collection.count), countOf(collection.capacity, "slot"));
}

bool addWhole(const InsightInput& input, const SurveyedCollection& collection, std::uint64_t less,
              GroupsByType& groups) {
  const SurveyedType& type = input.collections.typeOf(collection);
  std::vector<std::uint32_t> parts = ownParts(input, collection, true);
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

GroupsByType groupCollections(const InsightInput& input, const LookAtCollection& look, const std::stop_token& stop) {
  constexpr std::size_t kLookedAtOnce = 1 << 14;
  const std::span<const SurveyedCollection> collections = input.collections.collections();
  std::vector<GroupsByType> parts((collections.size() + kLookedAtOnce - 1) / kLookedAtOnce);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    if (stop.stop_requested()) return;
    const std::size_t first = part * kLookedAtOnce;
    for (std::size_t i = first; i < std::min(collections.size(), first + kLookedAtOnce); ++i)
      look(input, collections[i], parts[part]);
  });
  return GroupsByType::join(parts);
}

}  // namespace heapscape::engine
