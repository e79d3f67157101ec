// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "layout/advice/layout_advice.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// For each own and inherited instance field of a type, in the order of its layout, how many of its objects (boxes, for
/// a value type) have any byte of it not zero; paddings inside of value types do not count. Of more objects than
/// `limit` an even sample is looked at: FieldUse::instances says how many it were, and is 0 without objects. Fails with
/// NotFound or Damaged if the type has no layout.
Outcome<std::vector<FieldUse>> fieldUse(const Snapshot& snapshot, Address methodTable, std::size_t limit,
                                        std::stop_token stop);

}  // namespace heapscape::engine
