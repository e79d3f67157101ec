// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

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

}  // namespace heapscape::engine
