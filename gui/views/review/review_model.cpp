// SPDX-License-Identifier: MIT
#include "views/review/review_model.h"

#include <QMimeData>
#include <algorithm>

#include "widgets/figures.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {
namespace {

QString mimeType() {
  return QStringLiteral("application/x-heapscape-review-page");
}

QString symbolOf(const engine::ReviewPage& page) {
  if (std::holds_alternative<engine::ReviewTable>(page.content)) return QStringLiteral("types");
  if (std::holds_alternative<engine::ReviewPicture>(page.content)) return QStringLiteral("overview");
  return QStringLiteral("review");
}

}  // namespace

QString contentText(const engine::ReviewPage& page) {
  if (const auto* table = std::get_if<engine::ReviewTable>(&page.content)) {
    if (table->rows.size() == 1) return ReviewModel::tr("table, 1 row");
    return ReviewModel::tr("table, %1 rows").arg(countText(table->rows.size()));
  }
  return std::holds_alternative<engine::ReviewPicture>(page.content) ? ReviewModel::tr("picture")
                                                                     : ReviewModel::tr("note");
}

void ReviewModel::setBoard(engine::ReviewBoard board) {
  beginResetModel();
  m_board = std::move(board);
  endResetModel();
}

void ReviewModel::setBoardTitle(const QString& title) {
  if (m_board.title == title.toStdString()) return;
  m_board.title = title.toStdString();
  Q_EMIT edited();
}

int ReviewModel::add(engine::ReviewPage page) {
  const int row = rowCount();
  beginInsertRows({}, row, row);
  m_board.pages.push_back(std::move(page));
  endInsertRows();
  Q_EMIT edited();
  return row;
}

void ReviewModel::setNote(int row, const QString& note) {
  std::string& kept = m_board.pages[static_cast<std::size_t>(row)].note;
  if (kept == note.toStdString()) return;
  kept = note.toStdString();
  Q_EMIT dataChanged(index(row), index(row));
  Q_EMIT edited();
}

bool ReviewModel::movePage(int from, int to) {
  const int count = rowCount();
  if (from < 0 || from >= count || to < 0 || to >= count || from == to) return false;
  beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
  const auto first = m_board.pages.begin();
  if (from < to) {
    std::rotate(first + from, first + from + 1, first + to + 1);
  } else {
    std::rotate(first + to, first + from, first + from + 1);
  }
  endMoveRows();
  Q_EMIT edited();
  return true;
}

void ReviewModel::removePage(int row) {
  if (row < 0 || row >= rowCount()) return;
  beginRemoveRows({}, row, row);
  m_board.pages.erase(m_board.pages.begin() + row);
  endRemoveRows();
  Q_EMIT edited();
}

int ReviewModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_board.pages.size());
}

QVariant ReviewModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::ReviewPage& shown = page(index.row());
  const QString title = shown.title.empty() ? tr("Untitled page") : fromEngine(shown.title);
  switch (role) {
    case Qt::DisplayRole:
      return title;
    case Qt::EditRole:
      return fromEngine(shown.title);
    case Qt::DecorationRole:
      return symbolIcon(symbolOf(shown));
    case kSubtitleRole:
      return shown.source.empty() ? contentText(shown)
                                  : QStringLiteral("%1 · %2").arg(fromEngine(shown.source), contentText(shown));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return tr("Page %1: %2, %3").arg(index.row() + 1).arg(title, contentText(shown));
    default:
      return {};
  }
}

bool ReviewModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  std::string& title = m_board.pages[static_cast<std::size_t>(index.row())].title;
  const std::string wanted = value.toString().trimmed().toStdString();
  if (title == wanted) return true;
  title = wanted;
  Q_EMIT dataChanged(index, index);
  Q_EMIT edited();
  return true;
}

Qt::ItemFlags ReviewModel::flags(const QModelIndex& index) const {
  // Between pages only: a page has no place inside another one.
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsDragEnabled;
}

QStringList ReviewModel::mimeTypes() const {
  return {mimeType()};
}

QMimeData* ReviewModel::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  data->setData(mimeType(), QByteArray::number(indexes.first().row()));
  return data;
}

// False even where it moves: the view would take true as a wish to remove the page that was dragged.
bool ReviewModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
  if (action != Qt::MoveAction || !data->hasFormat(mimeType()) || parent.isValid()) return false;
  const int from = data->data(mimeType()).toInt();
  const int gap = row < 0 ? rowCount() : row;
  movePage(from, gap > from ? gap - 1 : gap);
  return false;
}

}  // namespace heapscape::gui
