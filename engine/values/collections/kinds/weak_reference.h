// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A WeakReference, generic or not: its target, unless that was collected.
Result<std::unique_ptr<Collection>> makeWeakReference(const Instance& reference);

}  // namespace heapscape::engine
