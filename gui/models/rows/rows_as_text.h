// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemView>
#include <QString>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// The rows given as tab-separated lines under a line of headings, with exact figures.
QString rowsAsText(const QAbstractItemModel& model, const QModelIndexList& rows);

/// The same of a RowList, line by line.
QString headingsAsText(const std::vector<ColumnSetup>& columns);
QString rowAsText(const RowList& list, std::uint32_t row);

/// Copies the selected rows of a view to the clipboard.
void copySelectedRows(const QAbstractItemView& view);
/// Gives the view a copy action on Ctrl+C that does so.
void addCopyRowsAction(QAbstractItemView* view);

}  // namespace heapscape::gui
