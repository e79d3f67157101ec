// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// Buckets, each a chain of nodes; the count is kept in parts, one for each lock.
Result<std::unique_ptr<Collection>> makeConcurrentDictionary(const Instance& dictionary);

}  // namespace heapscape::engine
