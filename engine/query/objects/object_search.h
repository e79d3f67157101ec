// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "query/objects/object_schema.h"
#include "query/query.h"
#include "query/query_value.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

/// Which objects, in what order, and what to tell of them.
struct ObjectSearch {
  Query query = {};          // of objectSchema()
  HeapScope scope = {};      // only this part of the heap
  Address methodTable = {};  // only objects of this type; 0 for all
  /// Only these, gaps as well as objects: ObjectIds, ascending. Null for all.
  std::shared_ptr<const std::vector<std::uint32_t>> among = {};
  std::optional<QueryFieldReference> sortBy = {};  // nothing: by address
  bool descending = true;                          // what is equal is in the order of addresses
  std::size_t limit = 100'000;                     // so many are put in order
  std::size_t rows = SIZE_MAX;                     // of these, so many are described at once
  std::vector<QueryFieldReference> columns = {};
  std::shared_ptr<const ObjectSets> sets = {};  // that the query and the columns may name
};

struct FoundObject {
  ObjectRow row;
  std::optional<std::uint64_t> retainedBytes = {};  // known from the stage Retained on
  std::vector<QueryValue> columns = {};             // as many as were asked for
};

struct FoundObjects {
  std::vector<FoundObject> rows;          // the first of them in the order wanted
  std::vector<std::uint32_t> order = {};  // ObjectIds in that order, as many as the limit
  // Totals of all that fit, whatever the limit:
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;       // aligned
  std::uint64_t unreadable = 0;  // values that could not be compared, because they are damaged or not in the dump
  std::vector<std::uint32_t> ids = {};          // ObjectIds, ascending
  std::vector<std::string> unknownFields = {};  // of field("…"), which no type on the heap has
};

/// Names of the activities: first searching, then sorting.
inline constexpr const char* kSearchingObjects = "searching the objects";
inline constexpr const char* kSortingObjects = "sorting the objects";

/// Goes through the heap once, on all cores. Fails with BadQuery for a field that is not known yet.
Outcome<FoundObjects> findObjects(const Snapshot& snapshot, const ObjectSearch& search, ProgressSink* progress,
                                  std::stop_token stop);

/// Tells of objects, page after page: what their columns need is made ready once. Safe from any thread.
class ObjectDescriber {
 public:
  ObjectDescriber(Snapshot snapshot, std::vector<QueryFieldReference> columns,
                  std::shared_ptr<const ObjectSets> sets = {});
  ~ObjectDescriber();
  ObjectDescriber(const ObjectDescriber&) = delete;
  ObjectDescriber& operator=(const ObjectDescriber&) = delete;

  /// One row for each id, as `rows` of FoundObjects has them, in their order; without an address if unreadable.
  Outcome<std::vector<FoundObject>> describe(std::span<const std::uint32_t> ids, std::stop_token stop) const;

 private:
  struct Prepared;

  const Snapshot m_snapshot;
  const std::vector<QueryFieldReference> m_columns;
  const std::shared_ptr<const ObjectSets> m_sets;
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<const Prepared> m_prepared;  // by the first page
};

/// Tells of the objects of one page.
Outcome<std::vector<FoundObject>> describeObjects(const Snapshot& snapshot, const ObjectSearch& search,
                                                  std::span<const std::uint32_t> ids, std::stop_token stop);

/// Whether a field can be told already: several need retained sizes. A column of another is left absent.
bool isFieldKnown(const Snapshot& snapshot, const QueryFieldReference& field);

/// The address of an object and the other way round, by the object index alone: nothing of the object is read. No id
/// where no object begins.
Address addressOfObject(const Snapshot& snapshot, std::uint32_t id);
std::optional<std::uint32_t> idOfObject(const Snapshot& snapshot, Address object);

/// The set that would be freed with all of them together; exact. Needs the stage Retained.
Outcome<RetainedSet> retainedWith(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                  ProgressSink* progress, std::stop_token stop);

/// The value that the objects of a group hold; the groups keep it. Of millions of groups most hold nothing but a text,
/// so they are told without a QueryValue for each.
class GroupValue {
 public:
  GroupValue() = default;
  explicit GroupValue(std::string_view text)
      : m_at(text.data()), m_textBytes(static_cast<std::uint32_t>(text.size())) {}
  explicit GroupValue(const QueryValue& value) : m_at(&value) {}

  QueryValue get() const {
    if (!m_at) return {};
    if (m_textBytes == kNoText) return *static_cast<const QueryValue*>(m_at);
    return QueryValue::ofText({static_cast<const char*>(m_at), m_textBytes});
  }

 private:
  static constexpr std::uint32_t kNoText = 0xffffffff;
  const void* m_at = nullptr;
  std::uint32_t m_textBytes = kNoText;
};

/// Objects for which a field holds the same.
struct ObjectGroup {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
  GroupValue value = {};
};
struct ObjectGroups {
  std::vector<ObjectGroup> groups;                       // those with the most bytes first
  LargeArray<std::uint32_t> groupOf = {};                // by place in what was grouped
  std::shared_ptr<const void> kept = {};                 // what their values refer to
  static constexpr std::uint32_t kNoGroup = 0xffffffff;  // of an object that cannot be read any more
};
/// Groups objects (ObjectIds) by a field, on all cores. Fails as findObjects() does.
Outcome<ObjectGroups> groupObjects(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                   const QueryFieldReference& field, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
