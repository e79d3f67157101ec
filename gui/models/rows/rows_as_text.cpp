// SPDX-License-Identifier: MIT
#include "models/rows/rows_as_text.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/rows/header_columns.h"
#include "query/schema.h"
#include "review/board.h"

namespace heapscape::gui {
namespace {

constexpr auto kFormatProperty = "rowsFormat";

QString formatTitle(RowsFormat format) {
  switch (format) {
    case RowsFormat::Tsv:
      return u"TSV, exact figures"_s;
    case RowsFormat::Text:
      return u"Text"_s;
    case RowsFormat::Markdown:
      return u"Markdown table"_s;
    case RowsFormat::Json:
      break;
  }
  return u"JSON"_s;
}

QString onOneLine(QString text) {
  return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString lineOf(const QStringList& cells) {
  return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

QJsonValue jsonOf(const CopiedColumn& column, const CopiedCell& cell) {
  if (!column.isFigure) return cell.exact;
  bool isNumber = false;
  const qlonglong whole = cell.exact.toLongLong(&isNumber);
  if (isNumber) return whole;
  const double number = cell.exact.toDouble(&isNumber);
  return isNumber ? QJsonValue(number) : QJsonValue();
}

QString columnNameOf(const QString& name, const QString& title) {
  return name.isEmpty() ? QString::fromStdString(engine::queryNameOf(title.toStdString())) : name;
}

CopiedColumn columnOf(const QAbstractItemModel& model, int column) {
  const QString title = model.headerData(column, Qt::Horizontal).toString();
  const QVariant kind = model.headerData(column, Qt::Horizontal, kCellKindRole);
  return {title, columnNameOf(model.headerData(column, Qt::Horizontal, kColumnNameRole).toString(), title),
          kind.isValid() && isFigure(static_cast<engine::ColumnKind>(kind.toInt()))};
}

CopiedCell cellOf(const QModelIndex& cell) {
  const QString shown = cell.data().toString();
  const QVariant plain = cell.data(kPlainRole);
  return {shown, plain.isValid() ? plain.toString() : shown};
}

std::vector<QAction*> copyActions(const QAbstractItemView& view) {
  std::vector<QAction*> actions;
  for (QAction* action : view.actions()) {
    if (action->property(kFormatProperty).isValid()) actions.push_back(action);
    if (!action->menu()) continue;
    for (QAction* inner : action->menu()->actions()) {
      if (inner->property(kFormatProperty).isValid()) actions.push_back(inner);
    }
  }
  return actions;
}

QAction* makeCopyAction(const QString& title, RowsFormat format, QObject* parent) {
  auto* action = new QAction(title, parent);
  action->setProperty(kFormatProperty, static_cast<int>(format));
  return action;
}

}  // namespace

CopiedRows::CopiedRows(RowsFormat format, std::vector<CopiedColumn> columns)
    : m_format(format), m_columns(std::move(columns)) {
  QStringList titles;
  for (const CopiedColumn& column : m_columns) titles << onOneLine(column.title);
  if (m_format == RowsFormat::Tsv) m_lines = lineOf(titles);
  m_rows.push_back(titles);
}

void CopiedRows::add(const std::vector<CopiedCell>& row) {
  if (m_format == RowsFormat::Json) {
    QJsonObject object;
    for (std::size_t i = 0; i < m_columns.size(); ++i) object.insert(m_columns[i].name, jsonOf(m_columns[i], row[i]));
    m_objects.append(object);
    return;
  }
  QStringList cells;
  for (const CopiedCell& cell : row) cells << onOneLine(m_format == RowsFormat::Tsv ? cell.exact : cell.shown);
  if (m_format == RowsFormat::Tsv) {
    m_lines += lineOf(cells);
  } else {
    m_rows.push_back(cells);
  }
}

QString CopiedRows::text() const {
  switch (m_format) {
    case RowsFormat::Tsv:
      return m_lines;
    case RowsFormat::Text:
      return textInColumns();
    case RowsFormat::Markdown:
      return markdown();
    case RowsFormat::Json:
      break;
  }
  return QString::fromUtf8(QJsonDocument(m_objects).toJson());
}

QString CopiedRows::textInColumns() const {
  std::vector<qsizetype> widths(m_columns.size(), 0);
  for (const QStringList& row : m_rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[static_cast<int>(i)].size());
  }
  QString text;
  for (const QStringList& row : m_rows) {
    QString line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const QString& cell = row[static_cast<int>(i)];
      if (i > 0) line += u"  "_s;
      line += m_columns[i].isFigure ? cell.rightJustified(widths[i]) : cell.leftJustified(widths[i]);
    }
    while (line.endsWith(QLatin1Char(' '))) line.chop(1);
    text += line + QLatin1Char('\n');
  }
  return text;
}

QString CopiedRows::markdown() const {
  QString text;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    QStringList cells;
    for (QString cell : m_rows[i]) {
      cell.replace(QLatin1Char('\\'), u"\\\\"_s);
      cells << cell.replace(QLatin1Char('|'), u"\\|"_s);
    }
    text += u"| %1 |\n"_s.arg(cells.join(u" | "_s));
    if (i > 0) continue;
    cells.clear();
    for (const CopiedColumn& column : m_columns) cells << (column.isFigure ? u"--:"_s : u"---"_s);
    text += u"| %1 |\n"_s.arg(cells.join(u" | "_s));
  }
  return text;
}

QString rowsAsText(const QAbstractItemView& view, const QModelIndexList& rows, RowsFormat format) {
  const std::vector<int> shown = shownColumns(view);
  std::vector<CopiedColumn> columns;
  for (const int column : shown) columns.push_back(columnOf(*view.model(), column));
  CopiedRows copied(format, std::move(columns));
  for (const QModelIndex& row : rows) {
    std::vector<CopiedCell> cells;
    for (const int column : shown) cells.push_back(cellOf(row.siblingAtColumn(column)));
    copied.add(cells);
  }
  return copied.text();
}

std::vector<CopiedColumn> copiedColumns(const std::vector<ColumnSetup>& columns, const std::vector<int>& shown) {
  std::vector<CopiedColumn> copied;
  for (const int column : shown) {
    const ColumnSetup& setup = columns[static_cast<std::size_t>(column)];
    copied.push_back(
        {setup.title, columnNameOf(QString::fromStdString(setup.field), setup.title), isFigure(setup.kind)});
  }
  return copied;
}

std::vector<CopiedCell> copiedRow(const RowList& list, std::uint32_t row, const std::vector<int>& shown) {
  std::vector<CopiedCell> cells;
  for (const int column : shown) {
    const auto index = static_cast<std::size_t>(column);
    const QVariant more = list.more(row, index, Qt::DisplayRole);
    cells.push_back({more.isValid() ? more.toString() : list.display(row, index), list.plain(row, index)});
  }
  return cells;
}

void copySelectedRows(const QAbstractItemView& view, RowsFormat format) {
  if (!view.selectionModel()) return;
  QModelIndexList rows = view.selectionModel()->selectedRows();
  if (rows.isEmpty()) return;
  // As they stand on the screen; an index' own order knows nothing of trees.
  std::ranges::sort(rows, {}, [&view](const QModelIndex& row) { return view.visualRect(row).y(); });
  QGuiApplication::clipboard()->setText(rowsAsText(view, rows, format));
}

void addCopyRowsActions(QAbstractItemView* view) {
  QAction* copy = makeCopyAction(u"Copy rows"_s, RowsFormat::Tsv, view);
  copy->setIcon(QIcon::fromTheme(u"edit-copy"_s));
  copy->setObjectName(u"copyRows"_s);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  view->addAction(copy);
  auto* formats = new QMenu(u"Copy rows as"_s, view);
  formats->setObjectName(u"copyRowsAs"_s);
  for (const RowsFormat format : kRowsFormats) formats->addAction(makeCopyAction(formatTitle(format), format, formats));
  view->addAction(formats->menuAction());
  replaceCopyRows(*view, [view](RowsFormat format) { copySelectedRows(*view, format); });
}

void replaceCopyRows(QAbstractItemView& view, const std::function<void(RowsFormat)>& copy) {
  for (QAction* action : copyActions(view)) {
    action->disconnect(&view);
    const auto format = static_cast<RowsFormat>(action->property(kFormatProperty).toInt());
    QObject::connect(action, &QAction::triggered, &view, [copy, format] { copy(format); });
  }
}

}  // namespace heapscape::gui
