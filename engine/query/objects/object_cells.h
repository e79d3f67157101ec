// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/progress.h"
#include "base/result.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Values of the objects that rows of a list are about; fields are those of objectSchema(). An object that
/// several rows are about is read once. Immutable and cheap to copy; safe from any thread.
class ObjectCells {
 public:
  bool has(const QueryFieldReference& field) const;
  /// Absent of a row without an object, and as long as the field was not read.
  const QueryValue& value(std::uint32_t row, const QueryFieldReference& field) const;

  /// These cells with more fields, of which only those are read that are not there yet, on all cores. `objects`:
  /// of each row, the same each time; 0 for none, and what is no object's start counts as none.
  Outcome<ObjectCells> with(const Snapshot& snapshot, std::span<const Address> objects,
                            std::span<const QueryFieldReference> fields, ProgressSink* progress,
                            std::stop_token stop) const;

 private:
  /// Which objects there are to be read.
  struct Objects {
    std::vector<std::uint32_t> ids;     // ObjectIds, ascending
    std::vector<std::uint32_t> places;  // by row: of its object among them; kNone for a row without one
  };
  struct Column {
    QueryFieldReference field;
    std::shared_ptr<const std::vector<QueryValue>> values;  // by the object's place
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  static std::shared_ptr<const Objects> placed(const Snapshot& snapshot, std::span<const Address> objects);
  const Column* find(const QueryFieldReference& field) const;

  std::shared_ptr<const Objects> m_objects;  // null before anything was read
  std::vector<Column> m_columns;
};

}  // namespace heapscape::engine
