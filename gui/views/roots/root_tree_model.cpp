// SPDX-License-Identifier: MIT
#include "views/roots/root_tree_model.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "session/references/cuts.h"
#include "views/roots/root_rows.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

bool isFigure(int column) {
  return column == RootTreeModel::AloneColumn || column == RootTreeModel::ObjectColumn ||
         column == RootTreeModel::RootsColumn;
}

}  // namespace

void RootTreeModel::show(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner) {
  beginResetModel();
  m_isByOwner = isByOwner;
  m_roots = std::move(roots);
  m_rowInParent.assign(m_roots ? m_roots->tree.size() : 0, 0);
  if (m_roots) {
    for (const engine::RootTreeNode& node : m_roots->tree) {
      for (std::uint32_t row = 0; row < node.children.size(); ++row) m_rowInParent[node.children[row]] = row;
    }
  }
  endResetModel();
}

const engine::HeldRoot* RootTreeModel::rootAt(const QModelIndex& index) const {
  const std::uint32_t root = nodeAt(index).root;
  return root == engine::RootTreeNode::kNone ? nullptr : &m_roots->roots[root];
}

std::string RootTreeModel::cutOf(const QModelIndex& index, const engine::RootList& list) const {
  if (const engine::HeldRoot* root = rootAt(index)) return engine::cutOfRoot(root->root);
  if (!m_isByOwner) return {};
  // Node 0 is the whole, and the groups follow in their order; another choice of roots has others.
  const std::uint32_t group = nodeOf(index) - 1;
  const bool isThere = nodeOf(index) > 0 && group < list.groups.size() && list.groups[group].name == nodeAt(index).name;
  return isThere ? engine::cutOfRootGroup(list, group) : std::string();
}

std::vector<engine::Address> RootTreeModel::objectsOf(const QModelIndex& index) const {
  std::vector<engine::Address> objects;
  std::vector<std::uint32_t> waiting{nodeOf(index)};
  while (!waiting.empty()) {
    const engine::RootTreeNode& node = m_roots->tree[waiting.back()];
    waiting.pop_back();
    waiting.insert(waiting.end(), node.children.begin(), node.children.end());
    if (node.root != engine::RootTreeNode::kNone) objects.push_back(m_roots->roots[node.root].root.object);
  }
  return objects;
}

engine::Address RootTreeModel::objectAt(const QModelIndex& index) const {
  const engine::HeldRoot* root = rootAt(index);
  return root ? root->root.object : engine::Address();
}

QModelIndex RootTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr{nodeAt(parent).children[static_cast<std::size_t>(row)]});
}

QModelIndex RootTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || !m_roots) return {};
  const std::uint32_t parent = nodeAt(child).parent;
  return parent == 0 ? QModelIndex() : createIndex(static_cast<int>(m_rowInParent[parent]), 0, quintptr{parent});
}

int RootTreeModel::rowCount(const QModelIndex& parent) const {
  if (!m_roots || m_roots->tree.empty() || parent.column() > 0) return 0;
  return static_cast<int>(nodeAt(parent).children.size());
}

int RootTreeModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant RootTreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (index.column() == ValueColumn) return m_values.data(objectAt(index), role);
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  const engine::RootTreeNode& node = nodeAt(index);
  const engine::HeldRoot* root = rootAt(index);
  if (index.column() == NameColumn) return nameData(node, root, role);
  if (index.column() == TypeColumn) return root ? typeNameData(root->typeName, role) : QVariant();
  return figureData(node, root, index.column(), role);
}

QVariant RootTreeModel::nameData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int role) const {
  if (role == Qt::DisplayRole || role == kPlainRole) {
    const QString name = givenNameText(nameOf(*m_roots, node));
    return root && !root->root.isExact && role == Qt::DisplayRole ? QStringLiteral("%1 (not exact)").arg(name) : name;
  }
  if (role != Qt::ToolTipRole || !root) return {};
  QString tip = fromEngine(nameOf(*m_roots, node)) + QLatin1Char('\n') + rootKindText(root->root.kind);
  if (root->root.address) tip += QStringLiteral(" in the slot at %1").arg(addressText(root->root.address));
  return tip;
}

QVariant RootTreeModel::figureData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int column,
                                   int role) const {
  if (column == ObjectColumn && !root) return {};
  const std::uint64_t figure = column == AloneColumn    ? node.alone.bytes
                               : column == ObjectColumn ? root->objectRetainedBytes
                                                        : node.roots;
  switch (role) {
    case Qt::DisplayRole:
      if (column != RootsColumn) return bytesText(figure);
      return root ? QString() : countText(figure);
    case kPlainRole:
      return QString::number(figure);
    case Qt::ToolTipRole:
      if (column == RootsColumn) return countedText(figure, QStringLiteral("root"));
      if (column == ObjectColumn) return exactBytesText(figure);
      return QStringLiteral("%1 in %2, held by nothing else")
          .arg(exactBytesText(figure), countedText(node.alone.objects, QStringLiteral("object")));
    case kShareRole: {
      if (column != AloneColumn) return {};
      const std::uint64_t whole = m_roots->tree[0].alone.bytes;
      return whole == 0 ? 0.0 : static_cast<double>(figure) / static_cast<double>(whole);
    }
    default:
      return {};
  }
}

QVariant RootTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (section == ValueColumn) return ValueCells::headerData(role);
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  if (role == Qt::ToolTipRole) {
    if (section == AloneColumn) return QStringLiteral("What would be freed if the root or all of the group let go");
    if (section == ObjectColumn) return QStringLiteral("What the object retains, however many roots lead to it");
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (section) {
    case NameColumn:
      return QStringLiteral("Root");
    case AloneColumn:
      return QStringLiteral("Retained alone");
    case ObjectColumn:
      return QStringLiteral("Its object");
    case RootsColumn:
      return QStringLiteral("Roots");
    case TypeColumn:
      return QStringLiteral("Type");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
