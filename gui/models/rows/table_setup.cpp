// SPDX-License-Identifier: MIT
#include "models/rows/table_setup.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/header_columns.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/rows_as_text.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {
namespace {

constexpr int kRowsLookedAt = 60;

// Section whose texts stand to the right of the branches.
int branchSection(const QTreeView& tree) {
  return std::max(0, tree.treePosition());
}

void setUpItemView(QAbstractItemView* view) {
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->setFrameShape(QFrame::NoFrame);
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  addCopyRowsActions(view);
  addPinRowsAction(view);
}

}  // namespace

TableHeading::TableHeading(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setSectionsMovable(true);
  setHighlightSections(false);
  setStretchLastSection(true);
}

void TableHeading::paintSection(QPainter* painter, const QRect& rect, int section) const {
  const Colours colours(palette());
  painter->save();
  painter->fillRect(rect, palette().color(QPalette::Base));
  painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.gridLine());
  painter->fillRect(QRect(rect.right(), rect.top() + 6, 1, rect.height() - 12), colours.gridLine());
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  painter->setPen(isSorted ? palette().color(QPalette::Text) : colours.dimmedText());
  paintContent(painter, rect.adjusted(kItemMargin, 0, -kItemMargin, 0), section);
  painter->restore();
}

void TableHeading::paintContent(QPainter* painter, const QRect& rect, int section) const {
  QString text = model()->headerData(section, Qt::Horizontal).toString();
  const auto alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
  // The words make way for the arrow, never the arrow for the words.
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  const bool isRight = alignment & Qt::AlignRight;
  QString arrow;
  if (isSorted) arrow = sortIndicatorOrder() == Qt::DescendingOrder ? u"▾"_s : u"▴"_s;
  if (isSorted && isRight) arrow += QLatin1Char(' ');
  if (isSorted && !isRight) arrow.prepend(QLatin1Char(' '));
  text = fontMetrics().elidedText(text, Qt::ElideRight, rect.width() - fontMetrics().horizontalAdvance(arrow));
  painter->drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine, isRight ? arrow + text : text + arrow);
}

void TableHeading::setPinned(int sections) {
  m_pinned = sections;
  viewport()->update();
}

bool TableHeading::isPinned(int section) const {
  int before = 0;  // that are shown
  for (int visual = 0; visual < visualIndex(section); ++visual) before += !isSectionHidden(logicalIndex(visual));
  return before < m_pinned && !isSectionHidden(section);
}

int TableHeading::pinnedWidth() const {
  if (m_pinned == 0 || offset() == 0) return 0;
  int width = 0;
  for (int visual = 0, left = m_pinned; visual < count() && left > 0; ++visual) {
    const int section = logicalIndex(visual);
    left -= !isSectionHidden(section);
    width += sectionSize(section);
  }
  return width < viewport()->width() * 4 / 5 ? width : 0;
}

QPoint TableHeading::placeOf(const QPoint& position) const {
  return position.x() < pinnedWidth() ? position - QPoint(offset(), 0) : position;
}

void TableHeading::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  if (pinnedWidth() == 0) return;
  QPainter painter(viewport());
  for (int visual = 0; visual < count(); ++visual) {
    const int section = logicalIndex(visual);
    if (isPinned(section))
      paintSection(&painter, {sectionPosition(section), 0, sectionSize(section), height()}, section);
  }
}

QMouseEvent TableHeading::placed(const QMouseEvent& event) const {
  return QMouseEvent(event.type(), placeOf(event.position().toPoint()), event.scenePosition(), event.globalPosition(),
                     event.button(), event.buttons(), event.modifiers());
}

void TableHeading::mousePressEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mousePressEvent(&moved);
}

void TableHeading::mouseReleaseEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mouseReleaseEvent(&moved);
}

void TableHeading::mouseDoubleClickEvent(QMouseEvent* event) {
  QMouseEvent moved = placed(*event);
  QHeaderView::mouseDoubleClickEvent(&moved);
}

bool TableHeading::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QHeaderView::viewportEvent(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QHelpEvent moved(event->type(), placeOf(help.pos()), help.globalPos());
  return QHeaderView::viewportEvent(&moved);
}

QSize TableHeading::sectionSizeFromContents(int section) const {
  QSize size = QHeaderView::sectionSizeFromContents(section);
  const QString words = model()->headerData(section, Qt::Horizontal).toString() + u" ▾"_s;
  size.setWidth(fontMetrics().horizontalAdvance(words) + 2 * kItemMargin);
  size.setHeight(std::max(26, fontMetrics().height() * 17 / 10));
  return size;
}

StretchedSection::StretchedSection(QAbstractItemView* view, QHeaderView* header, int section, int leastWidth,
                                   std::vector<int> named)
    : QObject(view), m_view(view), m_header(header), m_section(section), m_leastWidth(leastWidth) {
  for (const int each : named) m_named.push_back({each, header->sectionSize(each)});
  // Settings of an earlier session may say otherwise.
  header->setSectionResizeMode(section, QHeaderView::Interactive);
  header->setStretchLastSection(false);
  view->viewport()->installEventFilter(this);
  connect(header, &QHeaderView::sectionResized, this, &StretchedSection::follow);
  // Once the view knows where its rows are, and once for all that changes in a turn.
  m_soon.setSingleShot(true);
  connect(&m_soon, &QTimer::timeout, this, &StretchedSection::stretch);
  const auto stretchSoon = [this] { m_soon.start(0); };
  if (!m_named.empty()) {
    connect(view->model(), &QAbstractItemModel::modelReset, this, stretchSoon);
    connect(view->model(), &QAbstractItemModel::dataChanged, this, stretchSoon);
  }
  if (const auto* tree = qobject_cast<QTreeView*>(view)) {
    connect(tree, &QTreeView::expanded, this, stretchSoon);
    connect(tree, &QTreeView::collapsed, this, stretchSoon);
  }
  stretch();
}

void StretchedSection::putFirst() {
  m_isFirst = true;
  stretch();
}

int StretchedSection::chosenWidth(const QHeaderView& header, int section) {
  for (StretchedSection* each :
       header.parent()->findChildren<StretchedSection*>(QString(), Qt::FindDirectChildrenOnly)) {
    const Named* named = each->m_header == &header ? each->find(section) : nullptr;
    if (named) return named->chosen;
  }
  return header.sectionSize(section);
}

bool StretchedSection::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) stretch();
  return QObject::eventFilter(watched, event);
}

StretchedSection::Named* StretchedSection::find(int section) {
  const auto found = std::ranges::find(m_named, section, &Named::section);
  return found == m_named.end() ? nullptr : &*found;
}

void StretchedSection::follow(int section, int before, int after) {
  if (m_isStretching) return;
  // One that was hidden from the first has had no width yet.
  if (Named* named = find(section); named && after > 0 && (before > 0 || named->chosen == 0)) named->chosen = after;
  if (section != m_section || before == 0 || after == 0) stretch();
}

template <class Visit>
void StretchedSection::forEachInSight(const Visit& visit) const {
  const int bottom = m_view->viewport()->height();
  for (int y = 0, rows = 0; y < bottom && rows < kRowsLookedAt; ++rows) {
    const QModelIndex index = m_view->indexAt({1, y});
    if (!index.isValid()) break;
    visit(index);
    y = m_view->visualRect(index).bottom() + 1;
  }
}

int StretchedSection::wantedWidth(int section) const {
  int wanted = 0;
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  const bool hasBranches = tree && section == branchSection(*tree);
  forEachInSight([&](const QModelIndex& index) {
    const int indent = hasBranches ? indentOf(index) : 0;
    wanted = std::max(wanted, indent + m_view->sizeHintForIndex(index.siblingAtColumn(section)).width());
  });
  return wanted;
}

int StretchedSection::indentOf(QModelIndex row) const {
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  if (!tree) return 0;
  int depth = tree->rootIsDecorated() ? 1 : 0;
  while ((row = row.parent()).isValid()) ++depth;
  return depth * tree->indentation();
}

int StretchedSection::leastWidth() const {
  const auto* tree = qobject_cast<QTreeView*>(m_view);
  if (!tree || m_section != branchSection(*tree)) return m_leastWidth;
  int deepest = 0;
  forEachInSight([&](const QModelIndex& index) { deepest = std::max(deepest, indentOf(index)); });
  const int first = tree->rootIsDecorated() ? tree->indentation() : 0;
  const int most = std::max(m_leastWidth, tree->viewport()->width() * 2 / 3);
  return std::min(m_leastWidth + std::max(0, deepest - first), most);
}

bool StretchedSection::holdsContents() const {
  const QModelIndex first = m_view->indexAt({1, 0});
  return first.isValid() && first.siblingAtColumn(m_section).data(kCutAtEndRole).toBool();
}

void StretchedSection::stretch() {
  // Where it is hidden, the last one takes the room.
  const bool isHidden = m_header->isSectionHidden(m_section);
  if (m_header->stretchLastSection() != isHidden) m_header->setStretchLastSection(isHidden);
  if (isHidden || m_isStretching) return;
  m_isStretching = true;
  // One that is being hidden has no width left, and does not count as hidden yet.
  const auto isShown = [this](const Named& named) { return m_header->sectionSize(named.section) > 0; };
  int room = m_view->viewport()->width() - (m_header->length() - m_header->sectionSize(m_section));
  for (const Named& named : m_named) {
    if (isShown(named)) room += m_header->sectionSize(named.section) - named.chosen;
  }
  int least = leastWidth();
  if (!m_named.empty() && !holdsContents())
    least += std::clamp(wantedWidth(m_section) - least, 0, std::max(0, room - least) / (m_isFirst ? 1 : 2));
  for (const Named& named : m_named) {
    if (!isShown(named)) continue;
    const int spare = std::max(0, room - least);
    const int more = spare > 0 ? std::clamp(wantedWidth(named.section) - named.chosen, 0, spare) : 0;
    m_header->resizeSection(named.section, named.chosen + more);
    room -= more;
  }
  m_header->resizeSection(m_section, std::max(holdsContents() ? least * 3 / 5 : least, room));
  m_isStretching = false;
}

int figureColumnWidth(const QWidget& widget) {
  return widget.fontMetrics().horizontalAdvance(u"88,888,888"_s) + 2 * kItemMargin + 4;
}

void setUpTable(QTableView* table, QHeaderView* heading) {
  setUpItemView(table);
  table->setHorizontalHeader(heading);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setMinimumSectionSize(1);
  table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*table));
}

void setUpTree(QTreeView* tree, QHeaderView* heading) {
  setUpItemView(tree);
  tree->setHeader(heading);
  heading->setFirstSectionMovable(false);  // it has the branches
  tree->setUniformRowHeights(true);
  tree->setAllColumnsShowFocus(true);
  tree->setAnimated(false);
}

QModelIndexList rowsInSight(const QTreeView& tree) {
  QModelIndexList rows;
  const int bottom = tree.viewport()->height();
  for (QModelIndex row = tree.indexAt({0, 0}); row.isValid() && tree.visualRect(row).top() < bottom;
       row = tree.indexBelow(row))
    rows.push_back(row);
  return rows;
}

void rememberColumns(QHeaderView* header, const QString& key) {
  new HeaderColumns(header, key);
}

}  // namespace heapscape::gui
