// SPDX-License-Identifier: MIT
#include "views/roots/roots_place.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "session/references/cuts.h"
#include "views/roots/root_rows.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

/// A long name of an owner leaves room for that of the next one.
QString shortened(const QString& owner) {
  constexpr qsizetype kMost = 26, kEnd = 8;
  return owner.size() <= kMost ? owner : owner.left(kMost - kEnd - 1) + QChar(0x2026) + owner.right(kEnd);
}

}  // namespace

RootTreeModel::RootTreeModel(QObject* parent)
    : NumberedTreeModel(
          {{u"Root"_s, u"Root"_s},
           {u"Retained by this root only"_s, u"What would be freed if the root, or all of the group, were released"_s,
            TreeColumn::Look::Figure},
           {u"Object's retained size"_s, u"What the object retains, however many roots lead to it"_s,
            TreeColumn::Look::Figure},
           {u"Roots"_s, u"Roots"_s, TreeColumn::Look::Figure},
           {u"Type"_s, u"Type"_s},
           {.look = TreeColumn::Look::Value}},
          parent) {}

void RootTreeModel::show(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner) {
  beginResetModel();
  m_isByOwner = isByOwner;
  m_roots = std::move(roots);
  numberRows(m_roots ? m_roots->tree.size() : 0);
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
  const engine::RootTreeNode& node = nodeAt(index);
  const bool isThere = nodeOf(index) > 0 && group < list.groups.size() &&
                       list.groups[group].name == (node.place.empty() ? node.name : node.place);
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
  return root ? root->root.object : nodeAt(index).largest;
}

const RootTreeModel::Numbers& RootTreeModel::childrenOf(std::uint32_t node) const {
  return m_roots && !m_roots->tree.empty() ? m_roots->tree[node].children : none();
}

QVariant RootTreeModel::cell(const QModelIndex& index, int role) const {
  if (index.column() == ValueColumn) return values().data(objectAt(index), role);
  const engine::RootTreeNode& node = nodeAt(index);
  const engine::HeldRoot* root = rootAt(index);
  if (index.column() == NameColumn && isPart(node)) return partData(node, role);
  if (index.column() == NameColumn && isCombination(node)) return combinationData(node, role);
  if (index.column() == NameColumn) return nameData(node, root, role);
  if (index.column() == TypeColumn) return root ? typeNameData(root->typeName, role) : QVariant();
  return figureData(node, root, index.column(), role);
}

bool RootTreeModel::isCombination(const engine::RootTreeNode& node) const {
  return node.largest && m_roots->tree[node.parent].isTogether && !isPart(node);
}

bool RootTreeModel::isPart(const engine::RootTreeNode& node) const {
  const engine::RootTreeNode& above = m_roots->tree[node.parent];
  return node.largest && above.isTogether && m_roots->tree[above.parent].isTogether;
}

QVariant RootTreeModel::partData(const engine::RootTreeNode& node, int role) const {
  if (role != Qt::ToolTipRole) return typeNameData(node.name, role);
  return u"%1\nDouble click: who holds it"_s.arg(fromEngine(node.name));
}

// Cut at its end: the owners that tell it apart from the others stand first.
QVariant RootTreeModel::combinationData(const engine::RootTreeNode& node, int role) const {
  if (role == kCutAtEndRole) return true;
  if (role != Qt::DisplayRole && role != kPlainRole && role != Qt::ToolTipRole) return {};
  const QString plus = u" + "_s;
  const QStringList owners = givenNameText(node.name).split(plus);
  if (role == kPlainRole) return owners.join(plus);
  if (role == Qt::ToolTipRole) {
    const QString opens = node.children.empty() ? u"Double click: who holds the object"_s
                                                : u"It opens into the objects that they hold together."_s;
    return (owners + QStringList{opens}).join(QLatin1Char('\n'));
  }
  QStringList names;
  for (const QString& owner : owners) names << shortened(shortRootName(owner.toStdString()));
  return names.join(plus);
}

QVariant RootTreeModel::nameData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int role) const {
  if (role == Qt::DisplayRole || role == kPlainRole) {
    const QString name = givenNameText(nameOf(*m_roots, node));
    return root && !root->root.isExact && role == Qt::DisplayRole ? u"%1 (not exact)"_s.arg(name) : name;
  }
  if (role == Qt::ToolTipRole && !node.place.empty())
    return u"%1\nNothing tells the class of these static fields."_s.arg(fromEngine(node.place));
  if (role != Qt::ToolTipRole || !root) return {};
  QString tip = fromEngine(nameOf(*m_roots, node)) + QLatin1Char('\n') + rootKindText(root->root.kind);
  if (root->root.address) tip += u" in the slot at %1"_s.arg(addressText(root->root.address));
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
      return root || node.isTogether ? QString() : countText(figure);
    case kPlainRole:
      return QString::number(figure);
    case Qt::ToolTipRole:
      if (column == RootsColumn) return node.isTogether ? QString() : countedText(figure, u"root"_s);
      if (column == ObjectColumn) return exactBytesText(figure);
      if (node.isTogether) {
        return u"%1 in %2 that several of these lead to, and none of them alone"_s.arg(
            exactBytesText(figure), countedText(node.alone.objects, u"object"_s));
      }
      return u"%1 in %2, held by nothing else"_s.arg(exactBytesText(figure),
                                                     countedText(node.alone.objects, u"object"_s));
    case kShareRole:
      return column == AloneColumn ? shareOfWhole(figure, m_roots->tree[0].alone.bytes) : QVariant();
    default:
      return {};
  }
}

QModelIndex RootTreeModel::indexOfOwner(engine::Address owner, const engine::RootList& list) const {
  if (!m_isByOwner) return {};
  for (int row = 0; row < rowCount(); ++row) {
    const QModelIndex top = index(row, 0);
    for (int child = 0; child < rowCount(top); ++child) {
      const QModelIndex below = index(child, 0, top);
      const std::uint32_t group = nodeOf(below) - 1;  // as in cutOf()
      if (group < list.groups.size() && list.groups[group].owner == owner) return below;
    }
  }
  return {};
}

}  // namespace heapscape::gui
