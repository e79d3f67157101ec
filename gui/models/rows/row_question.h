// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "models/rows/row_list.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// Which rows of a list to show, and in what order.
struct RowQuestion {
  static constexpr int kAsGiven = -1;

  QString text;                 // part of a searched column, in any case; or a query of schemaOf()
  QString noun = {};            // of the rows, for what is said of a wrong query
  std::set<std::size_t> kinds;  // only these; empty for all
  int sortColumn = kAsGiven;
  bool descending = false;
};

/// Query schema of a list; `noun` of its rows, for what is said of a wrong query.
engine::QuerySchema schemaOf(const engine::TableDescription& list, const QString& noun);

/// Fields of the rows' objects that the question asks for and that were not read yet.
std::vector<engine::QueryFieldReference> missingFields(const RowList& list, const RowQuestion& question);
/// These rows with these fields of their objects. On the engine thread.
engine::Outcome<std::shared_ptr<const RowList>> readObjects(const engine::Snapshot& snapshot, const RowList& list,
                                                            const std::vector<engine::QueryFieldReference>& fields,
                                                            engine::ProgressSink* progress, std::stop_token stop);

/// Rows by their index in the list, in display order. On the engine thread. Fails with BadQuery for a wrong query; what
/// it asks of the rows' objects has been read.
engine::Outcome<std::vector<std::uint32_t>> askRows(const RowList& list, const RowQuestion& question,
                                                    std::stop_token stop);

/// Rows with such an order.
struct OrderedRows {
  std::shared_ptr<const RowList> rows;
  std::vector<std::uint32_t> order;
};
engine::Outcome<OrderedRows> orderRows(std::shared_ptr<const RowList> rows, const RowQuestion& question,
                                       std::stop_token stop);

}  // namespace heapscape::gui
