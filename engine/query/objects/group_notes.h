// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/content_hash.h"
#include "base/large_array.h"

namespace heapscape::engine {

/// Objects that are known to belong to one group, before it is known which others do.
struct GroupNote {
  Hash128 hash;             // of what they have in common
  std::uint64_t bytes = 0;  // aligned
  std::uint32_t first = 0;  // the first of them, by its place in what is grouped
  std::uint32_t objects = 0;
};

/// Notes with the same hash as one.
struct JoinedNotes {
  LargeArray<GroupNote> notes;
  LargeArray<std::uint32_t> placeOf;  // in `notes`, by place in what was joined
};

/// On all cores. Means nothing if it was stopped.
JoinedNotes joinNotes(const LargeArray<GroupNote>& notes, const std::stop_token& stop);

}  // namespace heapscape::engine
