// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <optional>

#include "models/rows/row_list.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// What a row's object retains, for rows with `retainedBytes`. A dash while it is not known, blank for rows without an
/// object; `hasObject(row)` tells which these are.
template <class Row, class HasObject>
RowColumn<Row> retainedColumn(const QString& tip, const HasObject& hasObject) {
  return {.setup = {.title = QObject::tr("Retained"), .tip = tip, .look = ColumnLook::Bytes, .hidesZero = true},
          .number = [](const Row& row) { return row.retainedBytes.value_or(0); },
          .detail =
              [](const Row& row) {
                return row.retainedBytes ? exactBytesText(*row.retainedBytes)
                                         : QObject::tr("Retained sizes are not known yet.");
              },
          .isKnown = [hasObject](const Row& row) { return row.retainedBytes.has_value() || !hasObject(row); }};
}

}  // namespace heapscape::gui
