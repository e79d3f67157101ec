// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A Task: its result, its exceptions, and what goes on when it ends. The state is Task.Status in words.
Result<std::unique_ptr<Collection>> makeTask(const Instance& task);

}  // namespace heapscape::engine
