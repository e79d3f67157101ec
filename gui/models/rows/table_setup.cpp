// SPDX-License-Identifier: MIT
#include "models/rows/table_setup.h"

#include "models/cells/item_painting.h"
#include "models/rows/header_columns.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/rows_as_text.h"

namespace heapscape::gui {
namespace {

void setUpItemView(QAbstractItemView* view) {
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setFrameShape(QFrame::NoFrame);
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  addCopyRowsActions(view);
  addPinRowsAction(view);
}

}  // namespace

int figureColumnWidth(const QWidget& widget) {
  return widget.fontMetrics().horizontalAdvance(u"88,888,888"_s) + 2 * kItemMargin + 4;
}

void setUpTable(QTableView* table, QHeaderView* heading) {
  setUpItemView(table);
  table->setHorizontalHeader(heading);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setMinimumSectionSize(1);
  table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*table));
}

void setUpTree(QTreeView* tree, QHeaderView* heading) {
  setUpItemView(tree);
  tree->setHeader(heading);
  heading->setFirstSectionMovable(false);  // it has the branches
  tree->setUniformRowHeights(true);
  tree->setAllColumnsShowFocus(true);
  tree->setAnimated(false);
}

QModelIndexList rowsInSight(const QTreeView& tree) {
  QModelIndexList rows;
  const int bottom = tree.viewport()->height();
  for (QModelIndex row = tree.indexAt({0, 0}); row.isValid() && tree.visualRect(row).top() < bottom;
       row = tree.indexBelow(row))
    rows.push_back(row);
  return rows;
}

void rememberColumns(QHeaderView* header, const QString& key) {
  new HeaderColumns(header, key);
}

}  // namespace heapscape::gui
