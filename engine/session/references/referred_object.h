// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/address.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// What a reference from outside the heap leads to.
struct ReferredObject {
  bool isObject = false;  // an object begins there, and is not free
  std::string typeName;   // empty if it is none
  Address methodTable;
};

/// Held against the object index; before the Objects stage against method tables alone.
ReferredObject referredObject(const Snapshot& snapshot, Address object);

}  // namespace heapscape::engine
