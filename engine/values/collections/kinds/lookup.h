// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// What ToLookup() makes: groups by key, in the order in which their keys came first.
Result<std::unique_ptr<Collection>> makeLookup(const Instance& lookup);
/// What it makes of nothing from .NET 9 on.
Result<std::unique_ptr<Collection>> makeEmptyLookup(const Instance& lookup);
/// One of the groups.
Result<std::unique_ptr<Collection>> makeGrouping(const Instance& grouping);

}  // namespace heapscape::engine
