// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "query/schema.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What can be asked of every object; numbers are positions in objectsDescription().
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

/// Objects as a list; a column for each of these.
const TableDescription& objectsDescription();

/// What can be asked of them: these columns, and field("…"). Always the same.
const QuerySchema& objectSchema();

inline QueryFieldReference referenceTo(ObjectField field) {
  return {static_cast<std::uint32_t>(field), {}};
}

}  // namespace heapscape::engine
