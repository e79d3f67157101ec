// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The objects of a type that a range of addresses has. Bytes are aligned sizes.
struct RangeType {
  TypeId type;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

/// The objects that start in a range of addresses. Bytes are aligned sizes, of whole objects: one that reaches out of
/// the range counts as a whole.
struct RangeSummary {
  AddressRange range;
  std::uint64_t objects = 0;  // without free ones
  std::uint64_t bytes = 0;    // of these
  std::uint64_t freeBytes = 0;
  std::optional<std::uint64_t> garbageBytes = {};  // of objects that no root leads to; known from the stage Retained on
  std::vector<RangeType> types = {};               // without free objects, most bytes first, then by name
};

/// Goes through the objects of a range on all cores. Needs the stage Objects.
Outcome<RangeSummary> summaryOfRange(const Snapshot& snapshot, AddressRange range, std::stop_token stop);

/// ObjectIds of the objects that start in a range, ascending, without free ones.
Outcome<std::vector<std::uint32_t>> objectsIn(const Snapshot& snapshot, AddressRange range, std::stop_token stop);

}  // namespace heapscape::engine
