// SPDX-License-Identifier: MIT
#include "models/instances_model.h"

#include <QGuiApplication>
#include <algorithm>

#include "models/cells/retained_cell.h"
#include "models/cells/roles.h"
#include "models/rows/row_list.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

bool isFigure(int column) {
  return column == InstancesModel::SizeColumn || column == InstancesModel::RetainedColumn;
}

}  // namespace

void InstancesModel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_snapshot = std::move(snapshot);
  if (!m_objects.empty()) Q_EMIT dataChanged(index(0, RetainedColumn), index(rowCount() - 1, RetainedColumn));
}

void InstancesModel::start() {
  clear();
  m_hasMore = true;
  fetchMore({});
}

void InstancesModel::clear() {
  beginResetModel();
  m_objects.clear();
  m_commonDigits = 0;
  m_hasMore = m_isWaiting = false;
  endResetModel();
}

void InstancesModel::append(std::vector<engine::ObjectRow> page, bool hasMore) {
  m_isWaiting = false;
  m_hasMore = hasMore && !page.empty();
  if (page.empty()) return;
  const int first = static_cast<int>(m_objects.size());
  beginInsertRows({}, first, first + static_cast<int>(page.size()) - 1);
  m_objects.insert(m_objects.end(), page.begin(), page.end());
  endInsertRows();
  const int digits = commonPrefix(addressText(m_objects.front().address), addressText(m_objects.back().address));
  if (digits == m_commonDigits) return;
  m_commonDigits = digits;
  Q_EMIT dataChanged(index(0, AddressColumn), index(rowCount() - 1, AddressColumn), {kDimmedPrefixRole});
}

int InstancesModel::rowOf(engine::Address object) const {
  const auto found = std::ranges::lower_bound(m_objects, object, {}, &engine::ObjectRow::address);
  const bool isThere = found != m_objects.end() && found->address == object;
  return isThere ? static_cast<int>(found - m_objects.begin()) : -1;
}

int InstancesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_objects.size());
}

int InstancesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant InstancesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::ObjectRow& object = objectAt(index.row());
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  switch (index.column()) {
    case AddressColumn:
      if (role == Qt::DisplayRole || role == kPlainRole) return addressText(object.address);
      if (role == kDimmedPrefixRole) return m_commonDigits;
      if (role == Qt::FontRole) return fixedFont(QGuiApplication::font());
      break;
    case SizeColumn:
      if (role == Qt::DisplayRole) return bytesText(object.sizeBytes);
      if (role == kPlainRole) return QString::number(object.sizeBytes);
      if (role == Qt::ToolTipRole) {
        return tr("%1, takes up %2").arg(exactBytesText(object.sizeBytes), exactBytesText(object.alignedBytes));
      }
      break;
    case RetainedColumn:
      return retainedCell(m_snapshot, object.address, role);
    case GenerationColumn:
      if (role == Qt::DisplayRole || role == kPlainRole)
        return QString::fromLatin1(engine::toString(object.generation));
      break;
    default:
      break;
  }
  return {};
}

QVariant InstancesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::Alignment((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case AddressColumn:
      return tr("Address");
    case SizeColumn:
      return tr("Size");
    case RetainedColumn:
      return tr("Retained");
    case GenerationColumn:
      return tr("Generation");
    default:
      return {};
  }
}

bool InstancesModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && m_hasMore && !m_isWaiting;
}

void InstancesModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_isWaiting = true;
  Q_EMIT pageWanted(m_objects.empty() ? engine::Address{} : m_objects.back().address + 1);
}

}  // namespace heapscape::gui
