// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "layout/type_layout.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The layout of any loaded type, on the heap or not. Fails with NotFound or Damaged.
/// What suspended methods save (.NET 11) is named after the methods of all objects of the type, from the Objects stage
/// on: several have one type if their words of references lie alike.
Result<TypeLayout> layoutOf(const Snapshot& snapshot, Address methodTable);
/// Layout of one object's type. What a suspended method saves is named after its own locals.
Result<TypeLayout> layoutOfObject(const Snapshot& snapshot, Address methodTable, Address object);

struct LoadedType {
  std::string name;
  std::string assembly;
  Address methodTable;
};

/// All types that the runtime has loaded and that have a layout, by name; types without an object on the heap too.
Outcome<std::vector<LoadedType>> loadedTypes(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
