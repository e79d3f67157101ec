// SPDX-License-Identifier: MIT
#include "views/references/paths/merged_paths_model.h"

#include "models/cells/roles.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

void MergedPathsModel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  beginResetModel();
  m_paths = std::move(paths);
  const std::size_t nodes = m_paths ? m_paths->nodes.size() : 0;
  m_children.assign(nodes, {});
  m_rowInParent.assign(nodes, 0);
  for (std::uint32_t node = 1; node < nodes; ++node) {
    auto& siblings = m_children[m_paths->nodes[node].parent];
    m_rowInParent[node] = static_cast<std::uint32_t>(siblings.size());
    siblings.push_back(node);
  }
  endResetModel();
}

QModelIndex MergedPathsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, quintptr{0});
  return createIndex(row, column, quintptr{m_children[nodeOf(parent)][static_cast<std::size_t>(row)]});
}

QModelIndex MergedPathsModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || !m_paths || nodeOf(child) == 0) return {};
  const std::uint32_t parent = nodeAt(child).parent;
  return createIndex(static_cast<int>(m_rowInParent[parent]), 0, quintptr{parent});
}

int MergedPathsModel::rowCount(const QModelIndex& parent) const {
  if (!m_paths || m_paths->nodes.empty() || parent.column() > 0) return 0;
  return parent.isValid() ? static_cast<int>(m_children[nodeOf(parent)].size()) : 1;
}

int MergedPathsModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant MergedPathsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((index.column() == NameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
  }
  return index.column() == NameColumn ? nameData(nodeOf(index), role) : figureData(nodeAt(index), index.column(), role);
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

QVariant MergedPathsModel::figureData(const engine::MergedPathNode& node, int column, int role) const {
  const std::uint64_t figure = column == ObjectsColumn ? node.objects
                               : column == BytesColumn ? node.bytes
                                                       : node.holders;
  switch (role) {
    case Qt::DisplayRole:
      return column == BytesColumn ? bytesText(figure) : countText(figure);
    case kPlainRole:
      return QString::number(figure);
    case Qt::ToolTipRole:
      return column == BytesColumn ? exactBytesText(figure) : countText(figure);
    case kShareRole:
      if (column != ObjectsColumn || m_paths->objects == 0) return {};
      return static_cast<double>(figure) / static_cast<double>(m_paths->objects);
    default:
      return {};
  }
}

QVariant MergedPathsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((section == NameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
  }
  if (role == Qt::ToolTipRole && section == HoldersColumn) return QStringLiteral("Different objects on this step");
  if (role == Qt::ToolTipRole && section == BytesColumn)
    return QStringLiteral("What the objects that are held this way take up themselves");
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (section) {
    case NameColumn:
      return QStringLiteral("Held by, up to the roots");
    case ObjectsColumn:
      return QStringLiteral("Objects held");
    case BytesColumn:
      return QStringLiteral("Bytes");
    case HoldersColumn:
      return QStringLiteral("Holders");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
