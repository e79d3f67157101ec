// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"
#include "models/rows/row_list.h"

class QHeaderView;
class QMenu;
class QModelIndex;

namespace heapscape::gui {

/// Shows what a cell leads to: the object on its page, or else the type on its own.
void followLink(Navigator& navigator, const RowLink& link);
/// An entry for each place that shows what a row of a list leads to; a submenu for each column that leads somewhere, if
/// several do.
void addLinks(QMenu& menu, Navigator& navigator, const RowList& list, std::uint32_t row);

/// Tells of a row that is about no object and no type: what its first cell says, and what the others say of that.
/// `headings`: those of its view, which may hide columns.
void tellRow(Navigator& navigator, const QString& kind, const QModelIndex& row, const QHeaderView& headings);

}  // namespace heapscape::gui
