// SPDX-License-Identifier: MIT
#include "views/review/review_table_model.h"

#include <QGuiApplication>

#include "models/cells/roles.h"
#include "review/html_table.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

QVariant alignmentOf(engine::ReviewCellKind kind) {
  return QVariant::fromValue(
      Qt::Alignment((engine::isFigure(kind) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

void ReviewTableModel::show(engine::ReviewTable table) {
  beginResetModel();
  m_table = std::move(table);
  endResetModel();
}

int ReviewTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ReviewTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ReviewTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto column = static_cast<std::size_t>(index.column());
  const engine::ReviewCellKind kind = m_table.columns[column].kind;
  const engine::ReviewCell& cell = m_table.rows[static_cast<std::size_t>(index.row())][column];
  switch (role) {
    case Qt::DisplayRole:
      return fromEngine(cell.text);
    case Qt::ToolTipRole: {
      const std::string exact = engine::exactText(kind, cell);
      return exact.empty() ? linesFromEngine(cell.text) : fromEngine(exact);
    }
    case Qt::TextAlignmentRole:
      return alignmentOf(kind);
    case Qt::FontRole:
      return kind == engine::ReviewCellKind::Address ? QVariant(fixedFont(QGuiApplication::font())) : QVariant();
    case kPlainRole:
      return cell.number ? QString::number(*cell.number) : fromEngine(cell.text);
    default:
      return {};
  }
}

QVariant ReviewTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const engine::ReviewColumn& column = m_table.columns[static_cast<std::size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return fromEngine(column.title);
    case Qt::TextAlignmentRole:
      return alignmentOf(column.kind);
    case kCellKindRole:
      return static_cast<int>(column.kind);
    case kHoldsContentsRole:
      return column.holdsContents;
    default:
      return {};
  }
}

}  // namespace heapscape::gui
