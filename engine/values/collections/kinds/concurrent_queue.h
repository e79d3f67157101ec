// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A list of segments, each a ring of slots between its head and its tail.
Result<std::unique_ptr<Collection>> makeConcurrentQueue(const Instance& queue);

}  // namespace heapscape::engine
