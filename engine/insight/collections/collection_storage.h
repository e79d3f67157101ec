// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "insight/collections/collection_survey.h"
#include "insight/insight_groups.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

inline constexpr std::size_t kMostLinkedParts = 4096;

/// The arrays and helper objects that a collection made for itself, whoever else refers to them; with those that it
/// made for its items (the nodes of a list or tree) if they are wanted. At most kMostLinkedParts.
std::vector<std::uint32_t> linkedParts(const InsightInput& input, const SurveyedType& type,
                                       const SurveyedCollection& collection, bool withNodes);

/// Returns the linked parts of a collection that nothing but the collection and its other parts refers to, without
/// nodes; the items are not among them.
std::vector<std::uint32_t> storageOf(const InsightInput& input, const SurveyedCollection& collection);

/// "3 of 64 slots": how far a collection is filled.
std::string fillOf(const SurveyedCollection& collection);

/// Adds a collection with all of its storage and nodes, and itself unless a class of the program's derives from it, to
/// the group of its type. `less`: bytes that would be needed instead. False if nothing is left.
bool addWhole(const InsightInput& input, const SurveyedCollection& collection, std::uint64_t less,
              GroupsByType& groups);

/// Looks at all collections on all cores and lets look() add what it likes to groups; these are in the collections'
/// order. Not whole if it was stopped.
using LookAtCollection =
    std::function<void(const InsightInput& input, const SurveyedCollection& collection, GroupsByType& groups)>;
GroupsByType groupCollections(const InsightInput& input, const LookAtCollection& look, const std::stop_token& stop);

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
