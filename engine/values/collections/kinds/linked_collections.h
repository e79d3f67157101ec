// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Collections whose items are objects that each refer to the next.
Result<std::unique_ptr<Collection>> makeLinkedList(const Instance& list);
Result<std::unique_ptr<Collection>> makeConcurrentStack(const Instance& stack);  // the top first
Result<std::unique_ptr<Collection>> makeImmutableStack(const Instance& stack);   // the top first
Result<std::unique_ptr<Collection>> makeImmutableQueue(const Instance& queue);
Result<std::unique_ptr<Collection>> makeFSharpList(const Instance& list);

}  // namespace heapscape::engine
