// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "layout/type_layout.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The layout of any loaded type, on the heap or not. Fails with NotFound or Damaged.
Result<TypeLayout> layoutOf(const Snapshot& snapshot, Address methodTable);

struct LoadedType {
  std::string name;
  std::string assembly;
  Address methodTable;
};

/// All types that the runtime has loaded and that have a layout, by name; types without an object on the heap too.
Outcome<std::vector<LoadedType>> loadedTypes(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
