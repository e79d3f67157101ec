// SPDX-License-Identifier: MIT
#pragma once

#include "values/instance.h"

namespace heapscape::engine {

/// What a WeakReference leads to.
struct WeakTarget {
  Address place;   // the handle, which holds the reference; 0 if it has been freed
  Address object;  // 0 if it has been collected
};

/// Of a WeakReference, generic or not. Fails with NotFound if it is none, with NotInDump.
Result<WeakTarget> weakTarget(const Instance& reference);

}  // namespace heapscape::engine
