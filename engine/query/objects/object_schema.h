// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "query/schema.h"

namespace heapscape::engine {

/// What can be asked of every object; numbers are positions in objectSchema().
enum class ObjectField : std::uint8_t {
  Type,
  Assembly,
  Namespace,
  Address,
  Size,
  Bytes,
  Retained,
  RetainedObjects,
  Gen,
  Heap,
  Segment,
  Pinned,
  Reachable,
  Free,
  Length,
  Count,
  Capacity,
  Text,
  References,
  Referrers,
  HeldBy,
  Owner,
};

/// The fields of objects, and field("…"). Always the same.
const QuerySchema& objectSchema();

inline QueryFieldReference referenceTo(ObjectField field) {
  return {static_cast<std::uint32_t>(field), {}};
}

}  // namespace heapscape::engine
