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

QString onOneLine(QString text) {
  return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString plain(const QVariant& value, const QVariant& otherwise) {
  return onOneLine(value.isValid() ? value.toString() : otherwise.toString());
}

QString lineOf(const QStringList& cells) {
  return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

}  // namespace

QString rowsAsText(const QAbstractItemModel& model, const QModelIndexList& rows) {
  const int columns = model.columnCount();
  QStringList cells;
  for (int column = 0; column < columns; ++column) cells << plain(model.headerData(column, Qt::Horizontal), {});
  QString text = lineOf(cells);
  for (const QModelIndex& row : rows) {
    cells.clear();
    for (int column = 0; column < columns; ++column) {
      const QModelIndex cell = row.siblingAtColumn(column);
      cells << plain(cell.data(kPlainRole), cell.data());
    }
    text += lineOf(cells);
  }
  return text;
}

QString headingsAsText(const std::vector<ColumnSetup>& columns) {
  QStringList titles;
  for (const ColumnSetup& column : columns) titles << onOneLine(column.title);
  return lineOf(titles);
}

QString rowAsText(const RowList& list, std::uint32_t row) {
  QStringList cells;
  for (std::size_t column = 0; column < list.columns().size(); ++column) cells << onOneLine(list.plain(row, column));
  return lineOf(cells);
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
  auto* copy = new QAction(QIcon::fromTheme(QStringLiteral("edit-copy")), QStringLiteral("Copy rows"), view);
  copy->setObjectName(QStringLiteral("copyRows"));
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, view, [view] { copySelectedRows(*view); });
  view->addAction(copy);
}

}  // namespace heapscape::gui
