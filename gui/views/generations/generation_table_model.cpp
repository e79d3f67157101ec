// SPDX-License-Identifier: MIT
#include "views/generations/generation_table_model.h"

#include <QFont>

#include "models/cells/roles.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

void GenerationTableModel::setRows(const std::vector<engine::GenerationRow>& rows) {
  beginResetModel();
  m_rows = rows;
  m_sum = {};
  for (const engine::GenerationRow& row : rows) m_sum += row.totals;
  endResetModel();
}

engine::HeapScope GenerationTableModel::scopeOf(int row) const {
  engine::HeapScope scope;
  if (row < 0 || row >= static_cast<int>(m_rows.size())) return scope;
  const engine::GenerationRow& shown = m_rows[static_cast<std::size_t>(row)];
  scope.generation = shown.generation;
  for (const engine::GenerationRow& other : m_rows) {
    if (other.heap != shown.heap) scope.heap = shown.heap;  // with one heap the generation says it all
  }
  return scope;
}

int GenerationTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || m_rows.empty() ? 0 : static_cast<int>(m_rows.size()) + 1;
}

int GenerationTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

const engine::ObjectTotals& GenerationTableModel::totalsOf(int row) const {
  return isSum(row) ? m_sum : m_rows[static_cast<std::size_t>(row)].totals;
}

QVariant GenerationTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  switch (role) {
    case Qt::DisplayRole:
      return text(index.row(), index.column());
    case Qt::ToolTipRole:
      return exactText(index.row(), index.column());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::AlignVCenter |
                                 (index.column() == GenerationColumn ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole: {
      QFont font;
      font.setWeight(QFont::DemiBold);
      return isSum(index.row()) ? QVariant(font) : QVariant();
    }
    case EmptyRole:
      return totalsOf(index.row()).bytes == 0;
    case GenerationRole:
      if (isSum(index.row()) || index.column() != GenerationColumn) return {};
      return static_cast<int>(m_rows[static_cast<std::size_t>(index.row())].generation);
    default:
      return {};
  }
}

QString GenerationTableModel::text(int row, int column) const {
  const engine::ObjectTotals& totals = totalsOf(row);
  const std::uint64_t used = totals.bytes - totals.freeBytes;
  switch (column) {
    case HeapColumn:
      return isSum(row) ? QString() : QString::number(m_rows[static_cast<std::size_t>(row)].heap);
    case GenerationColumn:
      return isSum(row) ? tr("All") : generationText(m_rows[static_cast<std::size_t>(row)].generation);
    case ObjectsColumn:
      return countText(totals.objects - totals.freeObjects);
    case UsedColumn:
      return bytesText(used);
    case FreeColumn:
      return bytesText(totals.freeBytes);
    case FreeShareColumn:
      return totals.bytes == 0 ? QStringLiteral("–") : percentText(totals.freeBytes, totals.bytes);
    case ShareColumn: {
      const std::uint64_t all = m_sum.bytes - m_sum.freeBytes;
      return all == 0 ? QStringLiteral("–") : percentText(used, all);
    }
    default:
      return {};
  }
}

QString GenerationTableModel::exactText(int row, int column) const {
  const engine::ObjectTotals& totals = totalsOf(row);
  switch (column) {
    case UsedColumn:
      return exactBytesText(totals.bytes - totals.freeBytes);
    case FreeColumn:
    case FreeShareColumn:
      return tr("%1, gaps: %2").arg(exactBytesText(totals.freeBytes), countText(totals.freeObjects));
    default:
      return {};
  }
}

QVariant GenerationTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::AlignVCenter | (section == GenerationColumn ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case HeapColumn:
      return tr("Heap");
    case GenerationColumn:
      return tr("Generation");
    case ObjectsColumn:
      return tr("Objects");
    case UsedColumn:
      return tr("Used");
    case FreeColumn:
      return tr("Free");
    case FreeShareColumn:
      return tr("Free %");
    case ShareColumn:
      return tr("Share of used");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
