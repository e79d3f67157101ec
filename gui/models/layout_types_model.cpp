// SPDX-License-Identifier: MIT
#include "models/layout_types_model.h"

#include "models/roles.h"
#include "models/type_name.h"
#include "widgets/figures.h"

namespace heapscape::gui {
namespace {

QVariant figure(std::uint64_t value, std::uint64_t most, const QString& text, const QString& tip, int role) {
  switch (role) {
    // Nothing on the heap is the rule here, and no figure worth reading.
    case Qt::DisplayRole:
      return value == 0 ? QString() : text;
    case Qt::ToolTipRole:
      return tip;
    case kPlainRole:
      return QString::number(value);
    case kShareRole:
      return most == 0 ? 0.0 : static_cast<double>(value) / static_cast<double>(most);
    default:
      return {};
  }
}

}  // namespace

void LayoutTypesModel::show(LayoutTypeAnswer answer) {
  beginResetModel();
  m_answer = std::move(answer);
  endResetModel();
}

const LayoutTypeRow& LayoutTypesModel::rowAt(int row) const {
  return (*m_answer.question.all)[m_answer.shown[static_cast<std::size_t>(row)]];
}

int LayoutTypesModel::rowOf(engine::Address methodTable) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (rowAt(row).type.methodTable == methodTable) return row;
  }
  return -1;
}

int LayoutTypesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_answer.shown.size());
}

int LayoutTypesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayoutTypesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) return headerData(index.column(), Qt::Horizontal, role);
  const LayoutTypeRow& row = rowAt(index.row());
  switch (index.column()) {
    case NameColumn:
      if (role == Qt::ToolTipRole) return fromEngine(row.type.name + "\n" + row.type.assembly);
      return typeNameData(row.type.name, role);
    case ObjectsColumn:
      return figure(row.objects, m_answer.mostObjects, countText(row.objects),
                    tr("%1 objects").arg(countText(row.objects)), role);
    case PaddingColumn:
      return figure(row.paddingBytes, m_answer.mostPaddingBytes, bytesText(row.paddingBytes),
                    tr("%1 of padding in all its objects").arg(exactBytesText(row.paddingBytes)), role);
    default:
      return {};
  }
}

QVariant LayoutTypesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((section == NameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
  }
  if (role == Qt::ToolTipRole && section == PaddingColumn) return tr("Bytes of padding in all objects of the type");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return tr("Type");
    case ObjectsColumn:
      return tr("Objects");
    case PaddingColumn:
      return tr("Padding");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
