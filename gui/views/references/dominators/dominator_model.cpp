// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_model.h"

#include <QFontDatabase>
#include <algorithm>
#include <array>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::DominatorKind;
using engine::DominatorNode;

struct DominatorModel::Item {
  DominatorNode node;
  Item* parent = nullptr;
  std::size_t row = 0;
  bool isAsked = false;     // for more children
  bool isComplete = false;  // there are no more children
  std::vector<std::unique_ptr<Item>> children;
};

DominatorModel::DominatorModel(EngineBridge& bridge, QObject* parent) : QAbstractItemModel(parent), m_bridge(bridge) {}

DominatorModel::~DominatorModel() = default;

std::unique_ptr<DominatorModel::Item> DominatorModel::makeItem(DominatorNode node, Item* parent, std::size_t row) {
  auto item = std::make_unique<Item>();
  item->node = std::move(node);
  item->parent = parent;
  item->row = row;
  item->isComplete = item->node.children == 0;
  m_items[item->node.node] = item.get();
  return item;
}

void DominatorModel::append(Item& item, engine::DominatorPage page) {
  for (DominatorNode& node : page.nodes)
    item.children.push_back(makeItem(std::move(node), &item, item.children.size()));
  item.isAsked = false;
  item.isComplete = page.nodes.empty() || item.children.size() >= page.total;
}

void DominatorModel::show(SharedScene scene, std::uint64_t wholeBytes) {
  beginResetModel();
  ++m_showing;
  m_items.clear();
  m_root.reset();
  m_scene = std::move(scene);
  m_wholeBytes = wholeBytes;
  if (m_scene) {
    m_root = makeItem(m_scene->top(), nullptr, 0);
    for (std::size_t i = 0; i < m_scene->opened.size() && m_items.contains(m_scene->opened[i]); ++i)
      append(*m_items[m_scene->opened[i]], m_scene->pages[i]);
  }
  endResetModel();
}

DominatorModel::Item* DominatorModel::itemOf(const QModelIndex& index) const {
  return static_cast<Item*>(index.internalPointer());
}

const DominatorNode* DominatorModel::nodeAt(const QModelIndex& index) const {
  return index.isValid() ? &itemOf(index)->node : nullptr;
}

QModelIndex DominatorModel::indexOf(const Item& item) const {
  return createIndex(static_cast<int>(item.row), 0, &item);
}

QModelIndex DominatorModel::indexOf(std::uint32_t node) const {
  const auto found = m_items.find(node);
  return found == m_items.end() ? QModelIndex() : indexOf(*found->second);
}

QModelIndex DominatorModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  const Item* item = parent.isValid() ? itemOf(parent)->children[static_cast<std::size_t>(row)].get() : m_root.get();
  return createIndex(row, column, item);
}

QModelIndex DominatorModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || !itemOf(child)->parent) return {};
  return indexOf(*itemOf(child)->parent);
}

int DominatorModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  if (!parent.isValid()) return m_root ? 1 : 0;
  return static_cast<int>(itemOf(parent)->children.size());
}

int DominatorModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

bool DominatorModel::hasChildren(const QModelIndex& parent) const {
  if (parent.column() > 0) return false;
  return parent.isValid() ? itemOf(parent)->node.children > 0 : m_root != nullptr;
}

bool DominatorModel::canFetchMore(const QModelIndex& parent) const {
  if (!parent.isValid() || parent.column() > 0) return false;
  const Item* item = itemOf(parent);
  return item->children.empty() && !item->isComplete && !item->isAsked;
}

void DominatorModel::fetchMore(const QModelIndex& parent) {
  if (canFetchMore(parent)) fetchNext(parent);
}

void DominatorModel::fetchNext(const QModelIndex& parent) {
  Item* item = parent.isValid() ? itemOf(parent) : nullptr;
  if (!item || item->isComplete || item->isAsked) return;
  item->isAsked = true;
  const std::uint32_t node = item->node.node;
  const std::uint64_t skip = item->children.size();
  const QByteArray channel = "children of " + QByteArray::number(node);
  m_bridge.ask(
      this, channel.constData(),
      [grouping = m_scene->grouping, node, skip](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::dominatedBy(snapshot, grouping, node, skip, kDominatorPage, stop);
      },
      [this, showing = m_showing, node](engine::Outcome<engine::DominatorPage> page) {
        if (showing != m_showing) return;
        Item& item = *m_items.at(node);
        item.isComplete = !page || page->nodes.empty();
        if (item.isComplete) return;
        // Still asked for while views hear of the rows, or they would ask again.
        const auto first = static_cast<int>(item.children.size());
        beginInsertRows(indexOf(item), first, first + static_cast<int>(page->nodes.size()) - 1);
        append(item, std::move(*page));
        endInsertRows();
      });
}

QVariant DominatorModel::figure(const DominatorNode& node, int column, int role) const {
  const bool isSize = column == OwnColumn || column == RetainedColumn;
  std::uint64_t value = node.retainedBytes;
  if (column == ObjectsColumn) value = node.kind == DominatorKind::Root ? node.roots : node.objects;
  if (column == OwnColumn) value = node.bytes;
  if (column == HeldColumn) value = node.retainedCount;
  if (role == kPlainRole) return QString::number(value);
  if (role == Qt::ToolTipRole) return isSize || column == ShareColumn ? exactBytesText(value) : countText(value);
  if (role == kShareRole && column == RetainedColumn && m_wholeBytes)
    return static_cast<double>(value) / static_cast<double>(m_wholeBytes);
  if (role != Qt::DisplayRole) return {};
  if (column == ShareColumn) return m_wholeBytes ? percentText(value, m_wholeBytes) : QString();
  // A group of roots is made of no objects: nothing rather than a nought.
  if (column != RetainedColumn && value == 0) return QString();
  return isSize ? bytesText(value) : countText(value);
}

QVariant DominatorModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const DominatorNode& node = itemOf(index)->node;
  if (index.column() == ValueColumn) return m_values.data(node.object, role);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(index.column() <= AddressColumn ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  if (index.column() == NameColumn) {
    const bool isOfObjects = node.kind == DominatorKind::Object || node.kind == DominatorKind::Type;
    if (isOfObjects && !node.name.empty()) return typeNameData(node.name, role);
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole;
    return isText ? QVariant(dominatorName(node)) : QVariant();
  }
  if (index.column() == AddressColumn) {
    if (role == Qt::FontRole) return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole;
    return isText && node.object ? QVariant(addressText(node.object)) : QVariant();
  }
  return figure(node, index.column(), role);
}

QVariant DominatorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (section == ValueColumn) return ValueCells::headerData(role);
  struct Heading {
    QString title, tip;
  };
  const std::array<Heading, ColumnCount> headings{{
      {QStringLiteral("Name"), QStringLiteral("A root, or the type of what it dominates")},
      {},  // of values
      {QStringLiteral("Address"), QStringLiteral("Of the object, or of the one that a root holds")},
      {QStringLiteral("Objects"), QStringLiteral("How many objects, or roots, this row stands for")},
      {QStringLiteral("Bytes"), QStringLiteral("What these objects take up themselves")},
      {QStringLiteral("Keeps"), QStringLiteral("How many objects would be freed with them, themselves included")},
      {QStringLiteral("Retained"), QStringLiteral("What would be freed with them; the bar is its share of all")},
      {QStringLiteral("Share"), QStringLiteral("Of all that can be reached")},
  }};
  const Heading& heading = headings[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return heading.title;
  if (role == Qt::ToolTipRole) return heading.tip;
  if (role == kHoldsContentsRole) return false;  // names leave out what they hold by themselves
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(section <= AddressColumn ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  return {};
}

}  // namespace heapscape::gui
