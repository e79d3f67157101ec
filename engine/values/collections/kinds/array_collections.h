// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"
#include "values/managed_array.h"

namespace heapscape::engine {

// Collections that keep their items in the order of an array.
Result<std::unique_ptr<Collection>> makeArray(const Instance& array);
Result<std::unique_ptr<Collection>> makeList(const Instance& list);             // List, ArrayList
Result<std::unique_ptr<Collection>> makeStack(const Instance& stack);           // generic or not; the top first
Result<std::unique_ptr<Collection>> makeQueue(const Instance& queue);           // generic or not
Result<std::unique_ptr<Collection>> makeSortedList(const Instance& list);       // generic or not
Result<std::unique_ptr<Collection>> makePriorityQueue(const Instance& queue);   // keys are the priorities
Result<std::unique_ptr<Collection>> makeImmutableArray(const Instance& array);  // a value type
Result<std::unique_ptr<Collection>> makeArraySegment(const Instance& segment);  // a value type
Result<std::unique_ptr<Collection>> makeMemory(const Instance& memory);         // and ReadOnlyMemory: value types

Result<std::unique_ptr<Collection>> makeOrderedDictionary(const Instance& dictionary);
/// Keys and values that lie in the pairs of an array, with the names of their fields.
Result<std::unique_ptr<Collection>> overPairs(const Instance& collection, CollectionFacts facts,
                                              const ManagedArray& pairs, std::string_view key, std::string_view value);

}  // namespace heapscape::engine
