// SPDX-License-Identifier: MIT
#include "insight/detectors/trimmed_size.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heapscape::engine {
namespace {

// What the class library prefers; beyond, any prime whose predecessor 101 does not divide (HashHelpers.cs).
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
