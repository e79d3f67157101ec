// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Collections whose contents were given once. The framework chooses among many classes for them; each keeps keys,
// values and items in arrays of the same names, or has them for hash codes.
Result<std::unique_ptr<Collection>> makeFrozenDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeFrozenSet(const Instance& set);

}  // namespace heapscape::engine
