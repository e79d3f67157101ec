// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// Which rows of a list to show, and in what order.
struct RowQuestion {
  static constexpr int kAsGiven = -1;

  QString text;                 // part of a searched column, in any case; or a query of querySchemaOf()
  QString noun = {};            // of the rows, for what is said of a wrong query
  std::set<std::size_t> kinds;  // only these; empty for all
  int sortColumn = kAsGiven;
  bool descending = false;
};

/// Rows by their index in the list, in display order. On the engine thread. Fails with BadQuery for a wrong query.
engine::Outcome<std::vector<std::uint32_t>> askRows(const RowList& list, const RowQuestion& question,
                                                    std::stop_token stop);

}  // namespace heapscape::gui
