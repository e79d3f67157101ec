// SPDX-License-Identifier: MIT
#include "views/references/paths/merged_paths_model.h"

#include "models/cells/roles.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

MergedPathsModel::MergedPathsModel(QObject* parent)
    : NumberedTreeModel(
          {{QStringLiteral("Held by, up to the roots"), QStringLiteral("Held by, up to the roots")},
           {QStringLiteral("Objects held"), QStringLiteral("Objects held"), TreeColumn::Look::Figure},
           {QStringLiteral("Bytes"), QStringLiteral("What the objects that are held this way take up themselves"),
            TreeColumn::Look::Figure},
           {QStringLiteral("Holders"), QStringLiteral("Different objects on this step"), TreeColumn::Look::Figure}},
          parent) {}

void MergedPathsModel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  beginResetModel();
  m_paths = std::move(paths);
  const std::size_t nodes = m_paths ? m_paths->nodes.size() : 0;
  m_children.assign(nodes, {});
  for (std::uint32_t node = 1; node < nodes; ++node) m_children[m_paths->nodes[node].parent].push_back(node);
  numberRows(nodes);
  endResetModel();
}

const MergedPathsModel::Numbers& MergedPathsModel::childrenOf(std::uint32_t node) const {
  static const Numbers objectsThemselves{0};
  if (node != kAboveAll) return m_children[node];
  return m_children.empty() ? none() : objectsThemselves;
}

QVariant MergedPathsModel::cell(const QModelIndex& index, int role) const {
  if (index.column() == NameColumn) return nameData(nodeOf(index), role);
  const engine::MergedPathNode& node = nodeAt(index);
  if (index.column() == BytesColumn) return bytesCell(node.bytes, role);
  if (index.column() == HoldersColumn) return countCell(node.holders, role);
  if (role == kShareRole) return m_paths->objects > 0 ? shareOfWhole(node.objects, m_paths->objects) : QVariant();
  return countCell(node.objects, role);
}

QVariant MergedPathsModel::nameData(std::uint32_t number, int role) const {
  const engine::MergedPathNode& node = m_paths->nodes[number];
  const QString name = node.isRoot         ? givenNameText(node.name)
                       : node.name.empty() ? QStringLiteral("Objects of several types")
                                           : fromEngine(node.name);
  switch (role) {
    case Qt::DisplayRole:
    case kPlainRole:
      if (node.isRoot) return QStringLiteral("Root: %1").arg(name);
      if (node.via.empty()) return name;
      // A list of nodes that hold each other is one line.
      return (node.isRun ? QStringLiteral("%1… · %2") : QStringLiteral("%1 · %2"))
          .arg(stepText(fromEngine(node.via)), name);
    case Qt::ToolTipRole:
      if (number == 0) return name;
      if (node.isRoot) return QStringLiteral("%1\nA root: nothing has to hold it").arg(name);
      return QStringLiteral("Held through the field %1 of %2").arg(fromEngine(node.via), name);
    default:
      return {};
  }
}

}  // namespace heapscape::gui
