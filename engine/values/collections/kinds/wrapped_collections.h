// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Collections that keep their items in another one, and have a state of their own.
Result<std::unique_ptr<Collection>> makeChannel(const Instance& channel);  // bounded, unbounded, for one reader …
Result<std::unique_ptr<Collection>> makeBlockingCollection(const Instance& collection);
/// The queue of a channel for one reader: rings of slots, one after the other.
Result<std::unique_ptr<Collection>> makeSingleReaderQueue(const Instance& queue);

}  // namespace heapscape::engine
