// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "insight/insight_input.h"

namespace heapscape::engine {

/// Slots that a hash table of the class library is given for so many items: the first of its primes that is not
/// smaller, or the next prime that is fit (HashHelpers.GetPrime, System.Private.CoreLib).
std::uint32_t primeFor(std::uint32_t items);

/// How many slots a collection would keep if it were trimmed; its own capacity where there is no way to.
/// - List, ArrayList, Stack, Queue, PriorityQueue, SortedList: TrimExcess (TrimToSize) leaves exactly the items.
///   ImmutableArray.Builder, MemoryStream: so does Capacity = Count, or Length. ArrayBufferWriter: so would another.
/// - Dictionary, HashSet: TrimExcess leaves the next prime.
/// - Hashtable, ConcurrentDictionary, ConcurrentQueue, ConcurrentBag: as a copy of it would be made: 0.72 items for a
///   slot at most; the next prime from 31 on; the next power of two from 32 on, of a bag one that is not quite full.
/// - StringBuilder: Capacity = Length leaves the last chunk its characters.
std::uint32_t slotsWhenTrimmed(const SurveyedType& type, const SurveyedCollection& collection);

}  // namespace heapscape::engine
