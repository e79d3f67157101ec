// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

struct TypedObject {
  ObjectId id;
  TypeId type;
};

/// All objects of some types, in address order, found on all cores in one pass over the index; what cannot be reached
/// is among them. `isWanted`: by TypeId. Nothing if it was stopped. From the Objects stage on.
std::optional<std::vector<TypedObject>> objectsOfTypes(const Contents& contents,
                                                       const std::vector<std::uint8_t>& isWanted,
                                                       const std::stop_token& stop);

}  // namespace heapscape::engine
