// SPDX-License-Identifier: MIT
#include "views/types/found_objects_model.h"

#include <QGuiApplication>
#include <algorithm>

#include "models/retained_cell.h"
#include "models/roles.h"
#include "models/type_name.h"
#include "widgets/figures.h"
#include "widgets/fonts.h"

namespace heapscape::gui {
namespace {

bool isFigure(int column) {
  return column == FoundObjectsModel::SizeColumn || column == FoundObjectsModel::RetainedColumn;
}

QVariant alignmentOf(int column) {
  return QVariant::fromValue(Qt::Alignment((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

void FoundObjectsModel::show(std::shared_ptr<const FoundObjectList> list) {
  beginResetModel();
  m_list = std::move(list);
  endResetModel();
}

int FoundObjectsModel::rowOf(engine::Address object) const {
  if (!m_list) return -1;
  const auto& rows = m_list->found.rows;
  const auto found =
      std::ranges::find_if(rows, [&](const engine::FoundObject& each) { return each.row.address == object; });
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

int FoundObjectsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_list ? 0 : static_cast<int>(m_list->found.rows.size());
}

int FoundObjectsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant FoundObjectsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::FoundObject& object = objectAt(index.row());
  if (role == Qt::TextAlignmentRole) return alignmentOf(index.column());
  switch (index.column()) {
    case AddressColumn:
      if (role == Qt::DisplayRole || role == kPlainRole) return addressText(object.row.address);
      if (role == Qt::FontRole) return fixedFont(QGuiApplication::font());
      break;
    case TypeColumn: {
      const std::string& name = m_list->snapshot.types()[object.row.type.value].name;
      if (role == Qt::DisplayRole || role == kPlainRole || role == Qt::ToolTipRole) return fromEngine(name);
      if (role == kDimmedPrefixRole || role == kShortNameRole) return typeNameData(name, role);
      break;
    }
    case SizeColumn:
      if (role == Qt::DisplayRole) return bytesText(object.row.sizeBytes);
      if (role == kPlainRole) return QString::number(object.row.sizeBytes);
      if (role == Qt::ToolTipRole) {
        return tr("%1, takes up %2").arg(exactBytesText(object.row.sizeBytes), exactBytesText(object.row.alignedBytes));
      }
      break;
    case RetainedColumn:
      return retainedCell(m_list->snapshot, object.row.address, role);
    case GenerationColumn:
      if (role == Qt::DisplayRole || role == kPlainRole)
        return QString::fromLatin1(engine::toString(object.row.generation));
      break;
    default:
      break;
  }
  return {};
}

QVariant FoundObjectsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return alignmentOf(section);
  if (role == kHoldsContentsRole) return false;
  if (role != Qt::DisplayRole) return {};
  const QString titles[]{tr("Address"), tr("Type"), tr("Size"), tr("Retained"), tr("Generation")};
  return section >= 0 && section < ColumnCount ? titles[section] : QVariant();
}

}  // namespace heapscape::gui
