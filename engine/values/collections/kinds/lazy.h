// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A Lazy: its value, once it has one, or the exception that its factory threw. States: "created", "not created",
/// "faulted".
Result<std::unique_ptr<Collection>> makeLazy(const Instance& lazy);

}  // namespace heapscape::engine
