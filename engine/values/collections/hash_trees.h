// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Trees by hash code, whose nodes hold the first item and a tree of others with the same code.
Result<std::unique_ptr<Collection>> makeImmutableHashSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeImmutableDictionary(const Instance& dictionary);

}  // namespace heapscape::engine
