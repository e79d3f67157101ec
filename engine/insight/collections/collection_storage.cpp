// SPDX-License-Identifier: MIT
#include "insight/collections/collection_storage.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/figures.h"
#include "insight/insight_input.h"

namespace heapscape::engine {
namespace {

/// Goes from a collection along its references to what it is made of.
class PartSearch {
 public:
  PartSearch(const InsightInput& input, const SurveyedType& type, const SurveyedCollection& collection, bool withNodes)
      : m_input(input), m_type(type), m_collection(collection), m_withNodes(withNodes) {}

  std::vector<std::uint32_t> find() {
    follow(m_collection.object, Role::Part);
    for (std::size_t i = 0; i < m_found.size(); ++i) follow(m_found[i], m_roles[i]);
    return std::move(m_found);
  }

 private:
  enum class Role : std::uint8_t { None, Part, Array, Node };

  /// Arrays hold items, but for those of a table of chains; nodes, too.
  void follow(std::uint32_t from, Role as) {
    if (as == Role::Array && m_type.form != CollectionForm::Chains) return;
    for (const std::uint32_t object : m_input.contents.graph->targetsOf(from)) {
      if (m_found.size() >= kMostLinkedParts) break;
      const Role role = roleOf(object, from);
      if (role == Role::None || (as == Role::Node && role != Role::Node)) continue;
      const auto seen = std::ranges::lower_bound(m_seen, object);
      if (object == m_collection.object || (seen != m_seen.end() && *seen == object)) continue;
      if (role == Role::Node && ++m_nodes > m_collection.count) continue;
      m_seen.insert(seen, object);
      m_found.push_back(object);
      m_roles.push_back(role);
    }
  }

  Role roleOf(std::uint32_t object, std::uint32_t from) const {
    const TypeId type{m_input.objectTypes[object]};
    if (type.isNone()) return Role::None;
    if (m_input.contents.typeReferences->isArray(type)) {
      const bool isStorage = from != m_collection.object || std::ranges::count(m_collection.storage, object);
      return isStorage ? Role::Array : Role::None;
    }
    if (std::ranges::count(m_type.parts, type)) return Role::Part;
    return m_withNodes && std::ranges::count(m_type.nodes, type) ? Role::Node : Role::None;
  }

  const InsightInput& m_input;
  const SurveyedType& m_type;
  const SurveyedCollection& m_collection;
  bool m_withNodes;
  std::vector<std::uint32_t> m_found, m_seen;  // the same in the order of finding, and ascending
  std::vector<Role> m_roles;
  std::uint32_t m_nodes = 0;
};

}  // namespace

std::vector<std::uint32_t> linkedParts(const InsightInput& input, const SurveyedType& type,
                                       const SurveyedCollection& collection, bool withNodes) {
  return PartSearch(input, type, collection, withNodes).find();
}

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

namespace {

// Primes that the class library prefers; beyond, any prime whose predecessor 101 does not divide (HashHelpers.cs).
constexpr std::array<std::uint32_t, 72> kPrimes{
    3,      7,       11,      17,      23,      29,      37,      47,      59,      71,      89,      107,
    131,    163,     197,     239,     293,     353,     431,     521,     631,     761,     919,     1103,
    1327,   1597,    1931,    2333,    2801,    3371,    4049,    4861,    5839,    7013,    8419,    10103,
    12143,  14591,   17519,   21023,   25229,   30293,   36353,   43627,   52361,   62851,   75431,   90523,
    108631, 130363,  156437,  187751,  225307,  270371,  324449,  389357,  467237,  560689,  672827,  807403,
    968897, 1162687, 1395263, 1674319, 2009191, 2411033, 2893249, 3471899, 4166287, 4999559, 5999471, 7199369};
constexpr std::uint32_t kHashPrime = 101;
constexpr std::uint32_t kMostSlots = 0x7feffffd;

bool isPrime(std::uint32_t candidate) {
  for (std::uint64_t divisor = 3; divisor * divisor <= candidate; divisor += 2) {
    if (candidate % divisor == 0) return false;
  }
  return true;
}

}  // namespace

std::uint32_t primeFor(std::uint32_t items) {
  const auto known = std::ranges::lower_bound(kPrimes, items);
  if (known != kPrimes.end()) return *known;
  for (std::uint32_t candidate = items | 1; candidate < kMostSlots; candidate += 2) {
    if ((candidate - 1) % kHashPrime && isPrime(candidate)) return candidate;
  }
  return kMostSlots;
}

std::uint32_t slotsWhenTrimmed(const SurveyedType& type, const SurveyedCollection& collection) {
  switch (type.form) {
    case CollectionForm::Items:
    case CollectionForm::Pairs:
    case CollectionForm::Characters:
      return collection.count;
    case CollectionForm::Entries:
      return std::min(primeFor(collection.count), collection.capacity);
    case CollectionForm::Buckets: {
      constexpr float kLoadFactor = 0.72F;
      const float slots = static_cast<float>(collection.count) / kLoadFactor;
      return std::min(slots > 3 ? primeFor(static_cast<std::uint32_t>(slots)) : 3, collection.capacity);
    }
    case CollectionForm::Chains: {
      constexpr std::uint32_t kDefaultSlots = 31;
      return std::min(primeFor(std::max(kDefaultSlots, collection.count)), collection.capacity);
    }
    case CollectionForm::Segments: {
      constexpr std::uint32_t kDefaultSlots = 32;
      const std::uint64_t needed =
          std::uint64_t{collection.count} + (type.kind == "ConcurrentBag");  // never quite full
      const std::uint64_t slots = std::max<std::uint64_t>(kDefaultSlots, std::bit_ceil(needed));
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, collection.capacity));
    }
    case CollectionForm::Nodes:
    case CollectionForm::Wrapper:
      break;
  }
  return collection.capacity;
}

}  // namespace heapscape::engine
