// SPDX-License-Identifier: MIT
#include "models/type_table_model.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

void TypeTableModel::show(std::shared_ptr<const TypeRows> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

engine::TypeId TypeTableModel::typeAt(int row) const {
  return m_rows ? m_rows->selection.types[static_cast<std::size_t>(row)] : engine::TypeId{};
}

int TypeTableModel::rowOf(engine::Address methodTable) const {
  if (!m_rows || !methodTable) return -1;
  const auto& types = m_rows->snapshot.types();
  for (std::size_t row = 0; row < m_rows->selection.types.size(); ++row) {
    if (types[m_rows->selection.types[row].value].methodTable == methodTable) return static_cast<int>(row);
  }
  return -1;
}

int TypeTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_rows ? 0 : static_cast<int>(m_rows->selection.types.size());
}

int TypeTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : TypeTableColumnCount;
}

QVariant TypeTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_rows) return {};
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(typeTableAlignment(index.column()));
  if (index.column() == NameColumn || index.column() == AssemblyColumn) {
    const engine::TypeRow& type = m_rows->snapshot.types()[typeAt(index.row()).value];
    return index.column() == NameColumn ? typeNameData(type.name, role) : textData(type.assembly, role);
  }
  const auto row = static_cast<std::size_t>(index.row());
  return figureData(m_rows->figures(row), m_rows->largest, m_rows->hasPadding(), index.column(), role);
}

QVariant TypeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::DisplayRole) return typeTableHeading(section);
  if (role == Qt::ToolTipRole) return typeTableHeadingTip(section, m_rows && m_rows->hasPadding());
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(typeTableAlignment(section));
  return {};
}

}  // namespace heapscape::gui
