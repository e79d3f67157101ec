// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A list of queues, one for each thread that has added something; of each the item added last comes first.
Result<std::unique_ptr<Collection>> makeConcurrentBag(const Instance& bag);

}  // namespace heapscape::engine
