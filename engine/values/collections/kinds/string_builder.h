// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A StringBuilder: one item, its text, cut where it is long. The state says how long the text is; the capacity is in
/// characters.
Result<std::unique_ptr<Collection>> makeStringBuilder(const Instance& builder);

}  // namespace heapscape::engine
