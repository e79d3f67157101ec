// SPDX-License-Identifier: MIT
#include "models/trees/namespace_tree_model.h"

#include "models/names/type_name.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

std::vector<TreeColumn> columnsOfTypes() {
  std::vector<TreeColumn> columns;
  for (int column = 0; column < TypeTableColumnCount; ++column) {
    const bool isFigure = typeTableAlignment(column).testFlag(Qt::AlignRight);
    columns.push_back(
        {.title = typeTableHeading(column), .look = isFigure ? TreeColumn::Look::Figure : TreeColumn::Look::Text});
  }
  return columns;
}

}  // namespace

NamespaceTreeModel::NamespaceTreeModel(QObject* parent) : NumberedTreeModel(columnsOfTypes(), parent) {}

void NamespaceTreeModel::show(std::shared_ptr<const TypeRows> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  numberRows(tree() ? tree()->nodes.size() : 0);
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
    return NumberedTreeModel::indexOf(node);
  }
  return {};
}

QVariant NamespaceTreeModel::cell(const QModelIndex& index, int role) const {
  const std::uint32_t number = nodeOf(index);
  const engine::NamespaceNode& node = tree()->nodes[number];
  if (index.column() == NameColumn) {
    const bool wantsFullName = role == Qt::ToolTipRole;
    return textData(wantsFullName ? node.fullName : node.name, role);
  }
  if (index.column() == AssemblyColumn) {
    return node.type.isNone() ? QVariant() : textData(m_rows->snapshot.types()[node.type.value].assembly, role);
  }
  if (index.column() == RetainedColumn && node.type.isNone()) {
    return role == Qt::ToolTipRole
               ? u"Retained sizes of types do not add up; the dominator tree has them by namespace."_s
               : QVariant();
  }
  return figureData(tree()->figures(number), tree()->largest, m_rows->hasPadding(), index.column(), role);
}

QVariant NamespaceTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::ToolTipRole)
    return typeTableHeadingTip(section, m_rows && m_rows->hasPadding());
  return TreeModel::headerData(section, orientation, role);
}

}  // namespace heapscape::gui
