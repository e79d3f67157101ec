// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

namespace heapscape::gui {

/// What a column of a printed table would like to have.
struct ColumnNeed {
  double wanted = 0;     // for its widest cell in one line
  bool canWrap = false;  // words, which may take several lines; figures never do
};

/// Widths that add up to `room`, or to what is wanted if that is less. Figures get what they want before words do;
/// words share what is left so that short columns are not cut for long ones, and have `least` at least, for which
/// figures give way in the end.
std::vector<double> fittedColumns(std::span<const ColumnNeed> needs, double room, double least);

}  // namespace heapscape::gui
