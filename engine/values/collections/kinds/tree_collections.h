// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Collections that keep their items in a binary tree.
Result<std::unique_ptr<Collection>> makeSortedSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeSortedDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeImmutableList(const Instance& list);
Result<std::unique_ptr<Collection>> makeImmutableSortedSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeImmutableSortedDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeFSharpMap(const Instance& map);
Result<std::unique_ptr<Collection>> makeFSharpSet(const Instance& set);

}  // namespace heapscape::engine
