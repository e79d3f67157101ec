// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "base/address.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What a reference from outside the heap leads to.
struct ReferredObject {
  bool isObject = false;  // an object begins there, and is not free
  std::string typeName;   // empty if it is none
  Address methodTable;
};

/// Nothing where no object begins, or a free one. Held against the object index; before the Objects stage against
/// method tables alone.
std::optional<Address> methodTableOfReferred(const Snapshot& snapshot, Address object);
/// The same with the type's name.
ReferredObject referredObject(const Snapshot& snapshot, Address object);

}  // namespace heapscape::engine
