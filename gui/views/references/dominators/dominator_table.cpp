// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_table.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "models/rows/seen_values.h"
#include "models/rows/table_setup.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::DominatorKind;
using engine::DominatorNode;

DominatorModel::DominatorModel(EngineBridge& bridge, QObject* parent)
    : TreeModelOf(
          {{u"Name"_s, u"A root, or the type of what it dominates"_s},
           {.look = TreeColumn::Look::Value},
           {u"Address"_s, u"Of the object, or of the one that a root holds"_s},
           {u"Objects"_s, u"How many objects, or roots, this row stands for"_s, TreeColumn::Look::Figure},
           {u"Bytes"_s, u"What these objects take up themselves"_s, TreeColumn::Look::Figure},
           {u"Keeps"_s, u"How many objects would be freed with them, themselves included"_s, TreeColumn::Look::Figure},
           {u"Retained"_s, u"What would be freed with them; the bar is its share of all"_s, TreeColumn::Look::Figure},
           {u"Share"_s, u"Of all that can be reached"_s, TreeColumn::Look::Figure}},
          parent),
      m_bridge(bridge) {}

DominatorLine& DominatorModel::add(DominatorLine& parent, DominatorNode node) {
  DominatorLine& line = append(parent, {.node = std::move(node)});
  line.isComplete = line.node.children == 0;
  m_lines[line.node.node] = &line;
  return line;
}

void DominatorModel::addPage(DominatorLine& line, engine::DominatorPage page) {
  for (DominatorNode& node : page.nodes) add(line, std::move(node));
  line.isAsked = false;
  line.isComplete = page.nodes.empty() || line.children.size() >= page.total;
}

void DominatorModel::show(SharedScene scene, std::uint64_t wholeBytes) {
  beginResetModel();
  ++m_showing;
  m_lines.clear();
  m_top.children.clear();
  m_scene = std::move(scene);
  m_wholeBytes = wholeBytes;
  if (m_scene) {
    add(m_top, m_scene->top());
    for (std::size_t i = 0; i < m_scene->opened.size() && m_lines.contains(m_scene->opened[i]); ++i)
      addPage(*m_lines[m_scene->opened[i]], m_scene->pages[i]);
  }
  endResetModel();
}

const DominatorNode* DominatorModel::nodeAt(const QModelIndex& index) const {
  return index.isValid() ? &nodeOf(index).node : nullptr;
}

QModelIndex DominatorModel::indexOf(std::uint32_t node) const {
  const auto found = m_lines.find(node);
  return found == m_lines.end() ? QModelIndex() : TreeModelOf::indexOf(*found->second);
}

bool DominatorModel::hasChildren(const QModelIndex& parent) const {
  if (parent.column() > 0) return false;
  return parent.isValid() ? nodeOf(parent).node.children > 0 : !m_top.children.empty();
}

bool DominatorModel::canFetchMore(const QModelIndex& parent) const {
  if (!parent.isValid() || parent.column() > 0) return false;
  const DominatorLine& line = nodeOf(parent);
  return line.children.empty() && !line.isComplete && !line.isAsked;
}

void DominatorModel::fetchMore(const QModelIndex& parent) {
  if (canFetchMore(parent)) fetchNext(parent);
}

void DominatorModel::fetchNext(const QModelIndex& parent) {
  if (!parent.isValid()) return;
  const std::uint32_t node = nodeOf(parent).node.node;
  DominatorLine& line = *m_lines.at(node);
  if (line.isComplete || line.isAsked) return;
  line.isAsked = true;
  const std::uint64_t skip = line.children.size();
  const QByteArray channel = "children of " + QByteArray::number(node);
  m_bridge.ask(
      this, channel.constData(),
      [grouping = m_scene->grouping, isOfGarbage = m_scene->isOfGarbage, node, skip](
          const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<engine::DominatorPage> {
        HEAPSCAPE_TRY(const engine::Snapshot seen, dominatorSide(snapshot, isOfGarbage, nullptr, stop));
        return engine::dominatedBy(seen, grouping, node, skip, kDominatorPage, stop);
      },
      [this, showing = m_showing, node](engine::Outcome<engine::DominatorPage> page) {
        if (showing != m_showing) return;
        DominatorLine& line = *m_lines.at(node);
        line.isComplete = !page || page->nodes.empty();
        if (line.isComplete) return;
        // Still asked for while views hear of the rows, or they would ask again.
        const auto first = static_cast<int>(line.children.size());
        beginInsertRows(TreeModelOf::indexOf(line), first, first + static_cast<int>(page->nodes.size()) - 1);
        addPage(line, std::move(*page));
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
  if (role == kShareRole && column == RetainedColumn && m_wholeBytes) return shareOfWhole(value, m_wholeBytes);
  if (role != Qt::DisplayRole) return {};
  if (column == ShareColumn) return m_wholeBytes ? percentText(value, m_wholeBytes) : QString();
  // A group of roots is made of no objects: nothing rather than a nought.
  if (column != RetainedColumn && value == 0) return QString();
  return isSize ? bytesText(value) : countText(value);
}

QVariant DominatorModel::cell(const QModelIndex& index, int role) const {
  const DominatorNode& node = nodeOf(index).node;
  if (index.column() == ValueColumn) return values().data(node.object, role);
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

DominatorTable::DominatorTable(EngineBridge& bridge, QWidget* parent)
    : QTreeView(parent), m_rows(new DominatorModel(bridge, this)) {
  setObjectName(u"dominatorTable"_s);
  setAccessibleName(u"Dominator tree"_s);
  setModel(m_rows);
  setUpTree(this, new TableHeading(this));
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setExpandsOnDoubleClick(false);
  setUpColumns();
  new SeenValues(bridge, *this,
                 {DominatorModel::ValueColumn, [this](const QModelIndex& row) { return m_rows->nodeAt(row)->object; },
                  m_rows->values()});
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    const engine::DominatorNode* node = m_rows->nodeAt(current);
    if (node && !m_isFollowing) Q_EMIT picked(*node);
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &DominatorTable::fetchSeen);
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &DominatorTable::fetchSeen);
  connect(this, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
    if (const engine::DominatorNode* node = m_rows->nodeAt(index)) Q_EMIT opened(*node);
  });
  connect(this, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
    if (const engine::DominatorNode* node = m_rows->nodeAt(indexAt(position)))
      Q_EMIT menuWanted(*node, viewport()->mapToGlobal(position));
  });
}

void DominatorTable::fetchSeen() {
  for (const QModelIndex& seen : rowsInSight(*this)) {
    // The last rows of several families may stand below each other.
    for (QModelIndex row = seen; row.parent().isValid(); row = row.parent()) {
      if (row.row() + 1 < m_rows->rowCount(row.parent())) break;
      m_rows->fetchNext(row.parent());
    }
  }
}

void DominatorTable::setUpColumns() {
  auto* names = new NameDelegate(this);
  setItemDelegateForColumn(DominatorModel::NameColumn, names);
  setItemDelegateForColumn(DominatorModel::ValueColumn, names);
  setItemDelegateForColumn(DominatorModel::RetainedColumn, new ShareBarDelegate(ShareBarDelegate::Bar::Plain, this));
  const int letter = fontMetrics().averageCharWidth();
  header()->setStretchLastSection(false);
  header()->setSectionsClickable(false);
  header()->setMinimumSectionSize(letter * 6);
  header()->resizeSection(DominatorModel::ValueColumn, letter * 24);
  header()->resizeSection(DominatorModel::AddressColumn, letter * 19);
  for (const int column : {DominatorModel::ObjectsColumn, DominatorModel::OwnColumn, DominatorModel::HeldColumn})
    header()->resizeSection(column, figureColumnWidth(*this));
  header()->resizeSection(DominatorModel::RetainedColumn, figureColumnWidth(*this) * 3 / 2);
  header()->resizeSection(DominatorModel::ShareColumn, letter * 10);
  rememberColumns(header(), u"dominators"_s);
  new StretchedSection(this, header(), DominatorModel::NameColumn, letter * 24, {DominatorModel::ValueColumn});
}

void DominatorTable::setScene(SharedScene scene, std::uint64_t wholeBytes) {
  m_isFollowing = true;
  m_rows->show(scene, wholeBytes);
  if (scene) {
    for (const std::uint32_t node : scene->opened) expand(m_rows->indexOf(node));
  }
  m_isFollowing = false;
}

void DominatorTable::mark(std::optional<std::uint32_t> node) {
  const QModelIndex index = node ? m_rows->indexOf(*node) : QModelIndex();
  if (index == currentIndex().siblingAtColumn(0) && index.isValid()) return;
  m_isFollowing = true;
  if (index.isValid()) {
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) expand(above);
    setCurrentIndex(index);
    scrollTo(index);
  } else {
    selectionModel()->clear();
  }
  m_isFollowing = false;
}

DominatorWay DominatorTable::wayTo(QModelIndex index) const {
  DominatorWay way;
  for (; index.isValid(); index = index.parent()) way.push_back(*m_rows->nodeAt(index));
  std::ranges::reverse(way);
  return way;
}

void DominatorTable::zoomIntoCurrent() {
  const engine::DominatorNode* node = m_rows->nodeAt(currentIndex());
  if (node && node->children > 0) Q_EMIT zoomWanted(wayTo(currentIndex()));
}

void DominatorTable::keyPressEvent(QKeyEvent* event) {
  const engine::DominatorNode* node = m_rows->nodeAt(currentIndex());
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Escape) {
    Q_EMIT zoomOutWanted();
  } else if (isEnter && node && event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) {
    Q_EMIT opened(*node);
  } else if (isEnter) {
    zoomIntoCurrent();
  } else {
    QTreeView::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
