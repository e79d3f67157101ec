// SPDX-License-Identifier: MIT
#include "models/trees/tree_model.h"

#include "models/cells/roles.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

QVariant figureCell(std::uint64_t figure, const QString& shortText, const QString& wholeText, int role) {
  if (role == Qt::DisplayRole) return shortText;
  if (role == kPlainRole) return QString::number(figure);
  return role == Qt::ToolTipRole ? QVariant(wholeText) : QVariant();
}

QVariant sideOf(const TreeColumn& column) {
  const bool isFigure = column.look == TreeColumn::Look::Figure;
  return QVariant::fromValue(Qt::Alignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

TreeModel::TreeModel(std::vector<TreeColumn> columns, QObject* parent)
    : QAbstractItemModel(parent), m_columns(std::move(columns)) {}

QModelIndex TreeModel::indexOfId(quintptr id) const {
  return id == topId() ? QModelIndex() : createIndex(rowOf(id), 0, id);
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  const quintptr above = parent.isValid() ? parent.internalId() : topId();
  return createIndex(row, column, childAt(above, static_cast<std::size_t>(row)));
}

QModelIndex TreeModel::parent(const QModelIndex& child) const {
  return child.isValid() ? indexOfId(parentOf(child.internalId())) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  return static_cast<int>(childCount(parent.isValid() ? parent.internalId() : topId()));
}

int TreeModel::columnCount(const QModelIndex&) const {
  return static_cast<int>(m_columns.size());
}

QVariant TreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const TreeColumn& column = m_columns[static_cast<std::size_t>(index.column())];
  if (role == Qt::TextAlignmentRole && column.look != TreeColumn::Look::Value) return sideOf(column);
  return cell(index, role);
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const TreeColumn& column = m_columns[static_cast<std::size_t>(section)];
  if (column.look == TreeColumn::Look::Value) return ValueCells::headerData(role);
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.tip.isNull() ? QVariant() : QVariant(column.tip);
    case Qt::TextAlignmentRole:
      return sideOf(column);
    case kHoldsContentsRole:
      return column.holdsContents;
    default:
      return {};
  }
}

double shareOfWhole(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

QVariant bytesCell(std::uint64_t bytes, int role) {
  return figureCell(bytes, bytesText(bytes), exactBytesText(bytes), role);
}

QVariant countCell(std::uint64_t count, int role) {
  return figureCell(count, countText(count), countText(count), role);
}

const NumberedTreeModel::Numbers& NumberedTreeModel::none() {
  static const Numbers empty;
  return empty;
}

void NumberedTreeModel::numberRows(std::size_t nodes) {
  m_rows.assign(nodes, 0);
  const auto number = [this](const Numbers& siblings) {
    int row = 0;
    for (const std::uint32_t node : siblings) m_rows[node] = row++;
  };
  if (nodes > 0) number(childrenOf(topNode()));
  for (std::uint32_t node = 0; node < nodes; ++node) number(childrenOf(node));
}

}  // namespace heapscape::gui
