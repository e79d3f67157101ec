// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "query/schema.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A field that every object has; numbers are positions in objectsDescription().
enum class ObjectField : std::uint8_t {
  Type,
  Assembly,
  LoadContext,
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
  Garbage,
  Free,
  Length,
  Count,
  Capacity,
  Text,
  References,
  Referrers,
  HeldBy,
  Owner,
  Value,
  Set,
};

/// Objects as a list; a column for each of these.
const TableDescription& objectsDescription();

/// The schema of queries for them: these columns, and field("…"). Always the same.
const QuerySchema& objectSchema();

/// Objects that somebody has given a name, which queries ask for: set = "picked". ObjectIds, ascending.
using ObjectSets = std::map<std::string, std::shared_ptr<const std::vector<std::uint32_t>>, std::less<>>;

inline QueryFieldReference referenceTo(ObjectField field) {
  return {static_cast<std::uint32_t>(field), {}};
}

}  // namespace heapscape::engine
