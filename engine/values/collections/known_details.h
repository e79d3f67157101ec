// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "values/collections/collection_details.h"
#include "values/instance.h"
#include "values/value_reader.h"

namespace heapscape::engine {

/// What is no collection but reads better than its fields do: the parts of a record or of a union's case, or the one
/// value of an object such as an IPAddress. Nothing for every other object.
std::optional<CollectionDetails> readKnownDetails(const ValueReader& values, const Instance& instance);

}  // namespace heapscape::engine
