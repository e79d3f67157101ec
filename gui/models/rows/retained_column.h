// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "models/rows/row_list.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// Column of the retained size of a row's object, for rows with `retainedBytes`, as the engine's description of the
/// list has it. A dash while it is not known, blank for rows without an object; `hasObject(row)` tells which these are.
template <class Row, class HasObject>
RowColumn<Row> retainedColumn(const HasObject& hasObject) {
  return {
      .setup = {.field = "retained"},
      .cell = [hasObject](const Row& row) { return hasObject(row) ? engine::Cell(row.retainedBytes) : engine::Cell(); },
      .detail =
          [](const Row& row) {
            return row.retainedBytes ? exactBytesText(*row.retainedBytes) : u"Retained sizes are not known yet."_s;
          }};
}

/// A retained column of a list that only the window has.
template <class Row, class HasObject>
RowColumn<Row> retainedColumn(const QString& tip, const HasObject& hasObject) {
  RowColumn<Row> column = retainedColumn<Row>(hasObject);
  column.setup = {.title = u"Retained"_s, .tip = tip, .kind = engine::ColumnKind::Bytes, .hidesZero = true};
  return column;
}

}  // namespace heapscape::gui
