// SPDX-License-Identifier: MIT
#include "models/rows/rows_as_text.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <algorithm>

#include "models/cells/roles.h"

namespace heapscape::gui {
namespace {

QString plain(QVariant value, const QVariant& otherwise) {
  QString text = value.isValid() ? value.toString() : otherwise.toString();
  return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

}  // namespace

QString rowsAsText(const QAbstractItemModel& model, const QModelIndexList& rows) {
  const int columns = model.columnCount();
  QString text;
  for (int column = 0; column < columns; ++column) {
    text += plain(model.headerData(column, Qt::Horizontal), {}) + QLatin1Char(column + 1 < columns ? '\t' : '\n');
  }
  for (const QModelIndex& row : rows) {
    for (int column = 0; column < columns; ++column) {
      const QModelIndex cell = row.siblingAtColumn(column);
      text += plain(cell.data(kPlainRole), cell.data()) + QLatin1Char(column + 1 < columns ? '\t' : '\n');
    }
  }
  return text;
}

void copySelectedRows(const QAbstractItemView& view) {
  if (!view.selectionModel()) return;
  QModelIndexList rows = view.selectionModel()->selectedRows();
  if (rows.isEmpty()) return;
  // As they stand on the screen; an index' own order knows nothing of trees.
  std::ranges::sort(rows, {}, [&view](const QModelIndex& row) { return view.visualRect(row).y(); });
  QGuiApplication::clipboard()->setText(rowsAsText(*view.model(), rows));
}

void addCopyRowsAction(QAbstractItemView* view) {
  auto* copy = new QAction(QIcon::fromTheme(QStringLiteral("edit-copy")),
                           QCoreApplication::translate("RowsAsText", "Copy rows"), view);
  copy->setObjectName(QStringLiteral("copyRows"));
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, view, [view] { copySelectedRows(*view); });
  view->addAction(copy);
}

}  // namespace heapscape::gui
