// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "query/objects/sort_keys.h"

namespace heapscape::engine {

/// The places of the `limit` smallest numbers in order, on all cores; those that are equal in the order in which they
/// are given. Of what has no number it is UINT64_MAX. `told` hears which share is done. What it gives means nothing if
/// it was stopped.
std::vector<std::uint32_t> placesInOrder(LargeArray<std::uint64_t> numbers, std::size_t limit,
                                         const std::function<void(double)>& told, const std::stop_token& stop);

/// The same of ids (ascending) whose numbers stand at their places: these ids in order.
std::vector<std::uint32_t> idsInOrder(LargeArray<std::uint64_t> numbers, std::span<const std::uint32_t> ids,
                                      std::size_t limit, const std::function<void(double)>& told,
                                      const std::stop_token& stop);

/// One of many that are put in order.
struct KeyedPlace {
  std::uint64_t part = 0;   // of its key, the one that it is being sorted by
  std::uint64_t rest = 0;   // of the key
  std::uint32_t place = 0;  // among all of them

  KeyedPlace() = default;  // without a key
  explicit KeyedPlace(const SortKey& key) : part(key.firstPart()), rest(key.rest()) {}
};

/// The same by keys; those without one last, whichever way it is sorted. Looks at a later part of the keys only where
/// those before it are the same. `told` gets the share that is done, on one thread at a time. What it gives means
/// nothing if it was stopped.
std::vector<std::uint32_t> placesInOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending,
                                         std::function<void(double)> told, const std::stop_token& stop);

}  // namespace heapscape::engine
