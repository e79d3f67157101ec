// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>
#include <QModelIndexList>
#include <QString>
#include <QTableView>
#include <QTreeView>

#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// Room for "88,888,888" or "1,008 KB".
int figureColumnWidth(const QWidget& widget);

/// How all tables look and behave: whole rows, no grid, per-pixel scrolling, Ctrl+C. The view must have its model.
void setUpTable(QTableView* table, QHeaderView* heading);
void setUpTree(QTreeView* tree, QHeaderView* heading);

/// Rows of a tree in sight, top to bottom: the first cell of each row.
QModelIndexList rowsInSight(const QTreeView& tree);

/// Lets the person choose the header's columns, which the settings keep under this key: see HeaderColumns.
void rememberColumns(QHeaderView* header, const QString& key);

}  // namespace heapscape::gui
