// SPDX-License-Identifier: MIT
#include "models/layout/layout_types_model.h"

#include <QGuiApplication>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

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

int LayoutTypesModel::rowOf(engine::LaboratoryTypeId type) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (rowAt(row).id == type) return row;
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
  if (!row.failure.empty()) {
    if (role == Qt::ForegroundRole) return Colours(QGuiApplication::palette()).dimmedText();
    if (role == Qt::ToolTipRole) return linesFromEngine(row.type.name + "\n" + row.failure);
  }
  switch (index.column()) {
    case NameColumn:
      if (role == Qt::ToolTipRole) return linesFromEngine(row.type.name + "\n" + row.type.assembly);
      if (role == Qt::DisplayRole && !row.failure.empty()) return QStringLiteral("⚠ ") + fromEngine(row.type.name);
      return typeNameData(row.type.name, role);
    case ObjectsColumn:
      return objectsData(row, role);
    case PaddingColumn:
      return paddingData(row, role);
    case AssemblyColumn:
      return textData(row.type.assembly, role);
    default:
      return {};
  }
}

QVariant LayoutTypesModel::objectsData(const LayoutTypeRow& row, int role) const {
  if (isOfAssembly()) {
    return figure(row.instanceBytes, m_answer.mostInstanceBytes, bytesText(row.instanceBytes),
                  tr("%1: an object of a class with its header, or a value").arg(exactBytesText(row.instanceBytes)),
                  role);
  }
  return figure(row.objects, m_answer.mostObjects, countText(row.objects), countedText(row.objects, tr("object")),
                role);
}

QVariant LayoutTypesModel::paddingData(const LayoutTypeRow& row, int role) const {
  const QString exact = exactBytesText(row.paddingBytes);
  const QString tip =
      isOfAssembly() ? tr("%1 of padding, %2 of its size").arg(exact, percentText(row.paddingBytes, row.instanceBytes))
                     : tr("%1 of padding in all its objects").arg(exact);
  return figure(row.paddingBytes, m_answer.mostPaddingBytes, bytesText(row.paddingBytes), tip, role);
}

QVariant LayoutTypesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    const bool isText = section == NameColumn || section == AssemblyColumn;
    return QVariant::fromValue(Qt::Alignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
  }
  if (role == Qt::ToolTipRole && section == PaddingColumn) {
    return isOfAssembly() ? tr("Bytes that no field uses, in one instance")
                          : tr("Bytes of padding in all objects of the type");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return tr("Type");
    case ObjectsColumn:
      return isOfAssembly() ? tr("Size") : tr("Objects");
    case PaddingColumn:
      return tr("Padding");
    case AssemblyColumn:
      return tr("Assembly");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
