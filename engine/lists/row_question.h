// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "lists/lists.h"
#include "query/objects/object_schema.h"
#include "query/query.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "session/snapshot/snapshot.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The rows of a dump that somebody asks for, in the words of the language of queries.
struct RowsAsked {
  std::string of = "objects";  // or the name of a list
  std::string query = {};      // which of them; empty for all
  std::string columns = {};    // more fields, parted by commas, as in: value,field("Name")
  std::string sort = {};       // a field, the largest first with a - behind it; empty for the list's order
  std::string groupBy = {};    // a field: rows are what it holds, with how many
  bool onlyTotals = false;
  bool redact = false;          // without contents
  bool addsSortColumn = false;  // what rows are sorted by is one of their columns, whether asked for or not
  std::size_t limit = SIZE_MAX;
};

/// Why no rows can be asked for so.
struct WrongRows {
  Error error;
  std::string text = {};                 // that is wrong
  std::optional<QueryError> place = {};  // in it
};

struct QueryColumn {
  std::string name;
  QueryKind kind = QueryKind::Text;
  bool isFraction = false;  // of numbers: not always whole ones
};

/// The answer to a query: rows, and figures of all that fits.
struct QueryTable {
  std::string noun = {};  // "objects"
  std::vector<QueryColumn> columns = {};
  std::vector<std::vector<QueryValue>> rows = {};  // each as long as the columns
  std::uint64_t rowsInAll = 0;                     // more than there are rows if these were limited
  std::vector<TableTotal> totals = {};
  std::vector<std::string> notes = {};  // for people, why the answer may not be what was meant
  FindingList findings = {};            // made as rows were read
};

/// Rows that are asked for, understood: what it needs is known before a dump is opened. Immutable.
class RowQuestion {
 public:
  /// Gets one row after the other, in their order.
  using Sink = std::function<void(std::vector<QueryValue>&&)>;

  static tl::expected<RowQuestion, WrongRows> make(RowsAsked asked);

  /// The names of what can be asked for: "objects", and all lists.
  static std::vector<std::string> subjects();

  bool needsRetainedByType() const { return m_list && m_list->needsRetainedByType; }
  HeapUse heap() const { return m_list ? m_list->heap : HeapUse::Graph; }
  /// What rows hold, in their order.
  const std::vector<QueryColumn>& columns() const { return m_columns; }
  /// The column that rows are in the order of, if it is one.
  std::optional<std::size_t> sortedBy() const { return m_sortedBy; }
  bool isDescending() const { return m_isDescending; }

  /// Asks a dump of the stage Retained. Rows go to `sink`, page by page, and are not in the table. `sets`: what the
  /// query may name; null for none. `timings` gets what took how long.
  Outcome<QueryTable> ask(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets, const Sink& sink,
                          std::vector<StageTiming>& timings, std::stop_token stop) const;
  /// The same with rows in the table.
  Outcome<QueryTable> askWhole(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets,
                               std::vector<StageTiming>& timings, std::stop_token stop) const;

 private:
  RowQuestion() = default;
  tl::expected<std::optional<QueryFieldReference>, WrongRows> readField(const std::string& text) const;
  tl::expected<void, WrongRows> readFields();
  tl::expected<void, WrongRows> addAskedColumns();
  void nameColumns();
  bool holdsContents(const QueryFieldReference& field) const;
  Outcome<QueryTable> askObjects(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets, const Sink& sink,
                                 std::vector<StageTiming>& timings, const std::stop_token& stop) const;
  Outcome<QueryTable> askList(const Snapshot& snapshot, const Sink& sink, std::vector<StageTiming>& timings,
                              const std::stop_token& stop) const;

  RowsAsked m_asked;
  const List* m_list = nullptr;  // null for objects
  QuerySchema m_schema;
  Query m_query;
  std::vector<QueryFieldReference> m_fields;  // of the columns, unless rows are groups
  std::optional<QueryFieldReference> m_order, m_groupBy;
  bool m_isDescending = false;
  std::vector<QueryColumn> m_columns;
  std::vector<std::string> m_leftOut;  // columns that were asked for and hold contents
  std::optional<std::size_t> m_sortedBy;
};

}  // namespace heapscape::engine
