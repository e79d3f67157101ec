// SPDX-License-Identifier: MIT
#include "models/namespace_tree_model.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

void NamespaceTreeModel::show(std::shared_ptr<const TypeRows> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

engine::TypeId NamespaceTreeModel::typeAt(const QModelIndex& index) const {
  return index.isValid() && tree() ? tree()->nodes[nodeOf(index)].type : engine::TypeId{};
}

QModelIndex NamespaceTreeModel::indexOf(engine::Address methodTable) const {
  if (!tree() || !methodTable) return {};
  for (std::uint32_t node = 0; node < tree()->nodes.size(); ++node) {
    const engine::TypeId type = tree()->nodes[node].type;
    if (type.isNone() || m_rows->snapshot.types()[type.value].methodTable != methodTable) continue;
    return createIndex(static_cast<int>(tree()->rowInParent[node]), 0, quintptr{node});
  }
  return {};
}

QModelIndex NamespaceTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr{tree()->nodes[nodeOf(parent)].children[static_cast<std::size_t>(row)]});
}

QModelIndex NamespaceTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || !tree()) return {};
  const std::uint32_t parent = tree()->nodes[nodeOf(child)].parent;
  return parent == 0 ? QModelIndex() : createIndex(static_cast<int>(tree()->rowInParent[parent]), 0, quintptr{parent});
}

int NamespaceTreeModel::rowCount(const QModelIndex& parent) const {
  if (!tree() || parent.column() > 0) return 0;
  return static_cast<int>(tree()->nodes[nodeOf(parent)].children.size());
}

int NamespaceTreeModel::columnCount(const QModelIndex&) const {
  return TypeTableColumnCount;
}

QVariant NamespaceTreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !tree()) return {};
  const std::uint32_t number = nodeOf(index);
  const engine::NamespaceNode& node = tree()->nodes[number];
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(typeTableAlignment(index.column()));
  if (index.column() == NameColumn) {
    const bool wantsFullName = role == Qt::ToolTipRole;
    return textData(wantsFullName ? node.fullName : node.name, role);
  }
  if (index.column() == AssemblyColumn) {
    return node.type.isNone() ? QVariant() : textData(m_rows->snapshot.types()[node.type.value].assembly, role);
  }
  if (index.column() == RetainedColumn && node.type.isNone()) {
    return role == Qt::ToolTipRole
               ? QStringLiteral("Retained sizes of types do not add up; the dominator tree has them by namespace.")
               : QVariant();
  }
  return figureData(tree()->figures(number), tree()->largest, m_rows->hasPadding(), index.column(), role);
}

QVariant NamespaceTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::DisplayRole) return typeTableHeading(section);
  if (role == Qt::ToolTipRole) return typeTableHeadingTip(section, m_rows && m_rows->hasPadding());
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(typeTableAlignment(section));
  return {};
}

}  // namespace heapscape::gui
