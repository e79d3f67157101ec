// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_table.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/rows/seen_values.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"

namespace heapscape::gui {

DominatorTable::DominatorTable(EngineBridge& bridge, QWidget* parent)
    : QTreeView(parent), m_rows(new DominatorModel(bridge, this)) {
  setObjectName(QStringLiteral("dominatorTable"));
  setAccessibleName(QStringLiteral("Dominator tree"));
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
  rememberColumns(header(), QStringLiteral("dominators"));
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
