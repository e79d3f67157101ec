// SPDX-License-Identifier: MIT
#include "models/rows/table_setup.h"

#include <QSettings>
#include <QTimer>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/rows_as_text.h"

namespace heapscape::gui {
namespace {

constexpr int kSaveDelayMs = 500;

void setUpItemView(QAbstractItemView* view) {
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setFrameShape(QFrame::NoFrame);
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  addCopyRowsAction(view);
  addPinRowsAction(view);
}

}  // namespace

int figureColumnWidth(const QWidget& widget) {
  return widget.fontMetrics().horizontalAdvance(QStringLiteral("88,888,888")) + 2 * kItemMargin + 4;
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
  tree->setUniformRowHeights(true);
  tree->setAllColumnsShowFocus(true);
  tree->setAnimated(false);
}

void rememberColumns(QHeaderView* header, const QString& key) {
  const QString settingsKey = QStringLiteral("columns/") + key;
  header->restoreState(QSettings().value(settingsKey).toByteArray());
  auto* timer = new QTimer(header);
  timer->setSingleShot(true);
  timer->setInterval(kSaveDelayMs);
  QObject::connect(header, &QHeaderView::sectionResized, timer, qOverload<>(&QTimer::start));
  QObject::connect(timer, &QTimer::timeout, header,
                   [header, settingsKey] { QSettings().setValue(settingsKey, header->saveState()); });
}

}  // namespace heapscape::gui
