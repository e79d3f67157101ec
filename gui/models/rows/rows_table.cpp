// SPDX-License-Identifier: MIT
#include "models/rows/rows_table.h"

#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <algorithm>
#include <utility>

#include "models/cells/item_painting.h"
#include "models/rows/header_columns.h"
#include "models/rows/table_setup.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr int kMostRowsSearched = 10'000;

int defaultLetters(const ColumnSetup& column) {
  if (column.letters > 0) return column.letters;
  return column.kind == engine::ColumnKind::TypeName ? 36 : column.kind == engine::ColumnKind::Address ? 17 : 14;
}

}  // namespace

std::vector<std::uint32_t> linesIn(const std::vector<LineRange>& ranges) {
  std::vector<std::uint32_t> lines;
  for (const LineRange& range : ranges) {
    for (std::uint32_t line = range.first; line < range.first + range.count; ++line) lines.push_back(line);
  }
  return lines;
}

RowsTable::RowsTable(const QString& name, const QString& title, std::vector<ColumnSetup> columns, const QString& key,
                     QWidget* parent, TableHeading* heading)
    : QTableView(parent),
      m_rows(new RowsModel(std::move(columns), this)),
      m_heading(heading ? heading : new TableHeading(this)) {
  setObjectName(name);
  setAccessibleName(title);
  setModel(m_rows);
  setUpTable(this, m_heading);
  setItemDelegate(new NameDelegate(this));
  setUpColumns(key);
  connect(m_rows, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_isStale = true; });
  connect(m_rows, &QAbstractItemModel::rowsInserted, this,
          [this](const QModelIndex&, int first) { noteNewRows(first); });
  connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
    // The header has turned its arrow already; what is shown is still in the old order.
    horizontalHeader()->setSortIndicator(m_sorted, m_isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    const engine::ColumnKind kind = m_rows->columns()[static_cast<std::size_t>(section)].kind;
    Q_EMIT sortWanted(section, section == m_sorted ? !m_isDescending : isFigure(kind));
  });
}

void RowsTable::setUpColumns(const QString& key) {
  QHeaderView* heading = horizontalHeader();
  heading->setMinimumSectionSize(fontMetrics().averageCharWidth() * 5);
  const std::vector<ColumnSetup>& columns = m_rows->columns();
  int stretched = -1;      // the column that takes the room that is left
  std::vector<int> named;  // have what their names want of it before
  for (int section = 0; section < static_cast<int>(columns.size()); ++section) {
    setUpColumn(section);
    const ColumnSetup& column = columns[static_cast<std::size_t>(section)];
    if (column.stretches) stretched = section;
    if (column.kind == engine::ColumnKind::TypeName || column.isNamed) named.push_back(section);
  }
  if (stretched < 0 && !named.empty()) stretched = named.front();
  std::erase(named, stretched);
  m_columns = new HeaderColumns(heading, key);
  m_columns->allowPinning();
  m_heading->setPinned(m_columns->pinned());
  connect(m_columns, &HeaderColumns::pinnedChanged, this, [this](int sections) {
    m_heading->setPinned(sections);
    viewport()->update();
  });
  heading->setStretchLastSection(stretched < 0);
  if (stretched >= 0)
    new StretchedSection(this, heading, stretched, wantedWidth(columns[static_cast<std::size_t>(stretched)]),
                         std::move(named));
  heading->setSortIndicatorShown(true);
  heading->setSortIndicator(-1, Qt::AscendingOrder);
}

void RowsTable::setUpColumn(int section) {
  const ColumnSetup& column = m_rows->columns()[static_cast<std::size_t>(section)];
  m_heading->resizeSection(section, wantedWidth(column));
  if (column.kind == engine::ColumnKind::Words) setItemDelegateForColumn(section, new WordsDelegate(this));
  if (column.bar == ColumnBar::None) return;
  const auto bar = column.bar == ColumnBar::Padding ? ShareBarDelegate::Bar::Padding : ShareBarDelegate::Bar::Plain;
  setItemDelegateForColumn(section, new ShareBarDelegate(bar, this));
}

void RowsTable::setColumns(std::vector<ColumnSetup> columns) {
  const auto before = static_cast<int>(m_rows->columns().size());
  m_columns->changeColumns([&] {
    m_rows->setColumns(std::move(columns));
    for (int section = before; section < m_rows->columnCount(); ++section) setUpColumn(section);
  });
}

// What is pinned is painted over what has scrolled below it, and is found there.
QModelIndex RowsTable::indexAt(const QPoint& position) const {
  const bool isPinned = position.x() >= 0 && position.x() < m_heading->pinnedWidth();
  return QTableView::indexAt(isPinned ? position - QPoint(m_heading->offset(), 0) : position);
}

QRect RowsTable::visualRect(const QModelIndex& index) const {
  const QRect rect = QTableView::visualRect(index);
  const bool isPinned = m_heading->pinnedWidth() > 0 && index.isValid() && m_heading->isPinned(index.column());
  return isPinned ? rect.translated(m_heading->offset(), 0) : rect;
}

void RowsTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
  if (!index.isValid()) return;
  QScrollBar* bar = horizontalScrollBar();
  const int before = bar->value();
  QTableView::scrollTo(index, hint);
  if (!m_heading->hasPinned()) return;
  // A pinned cell is in sight wherever the others are.
  if (m_heading->isPinned(index.column())) {
    bar->setValue(before);
    return;
  }
  const int hidden = m_heading->pinnedWidth() - visualRect(index).left();
  if (hidden > 0) bar->setValue(bar->value() - hidden);
}

// Letters look through the first column; of a long list row for row, and most of them are not even there. There the
// filter looks.
void RowsTable::keyboardSearch(const QString& typed) {
  if (m_rows->rowCount() <= kMostRowsSearched) QTableView::keyboardSearch(typed);
}

void RowsTable::noteNewRows(int first) {
  const int bottom = verticalOffset() + viewport()->height();
  const bool isBelow = qint64{first} * verticalHeader()->defaultSectionSize() >= bottom;
  (isBelow ? m_hasGrownBelow : m_isStale) = true;
}

// Being laid out anew, a table goes through all its rows and paints what is in sight. Where millions come a part at a
// time nothing of that is needed: the last part tells the scroll bar.
void RowsTable::doItemsLayout() {
  if (!std::exchange(m_hasGrownBelow, false) || m_isStale) {
    m_isStale = false;
    QTableView::doItemsLayout();
    return;
  }
  const bool isGrowing = m_rows->paged() && m_rows->rowCount() < static_cast<int>(m_rows->paged()->size);
  if (!isGrowing) updateGeometries();
}

void RowsTable::scrollContentsBy(int dx, int dy) {
  QTableView::scrollContentsBy(dx, dy);
  if (dx == 0 || !m_heading->hasPinned()) return;
  viewport()->update();
  m_heading->viewport()->update();
}

void RowsTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (m_heading->pinnedWidth() > 0 && m_rows->rowCount() > 0) paintPinned();
}

void RowsTable::paintPinned() {
  const int width = m_heading->pinnedWidth();
  QPainter painter(viewport());
  painter.fillRect(0, 0, width, viewport()->height(), palette().color(QPalette::Base));
  QStyleOptionViewItem option;
  initViewItemOption(&option);
  const QStyle::State state = option.state;
  const int first = std::max(0, rowAt(0));
  const int below = rowAt(viewport()->height() - 1);
  const int last = below < 0 ? m_rows->rowCount() - 1 : below;
  for (int section = 0; section < m_rows->columnCount(); ++section) {
    for (int row = first; m_heading->isPinned(section) && row <= last; ++row) {
      const QModelIndex index = m_rows->index(row, section);
      option.rect = visualRect(index);
      option.state = state;
      option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
      option.state.setFlag(QStyle::State_HasFocus, hasFocus() && index == currentIndex());
      style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &option, &painter, this);
      itemDelegateForIndex(index)->paint(&painter, option, index);
    }
  }
  painter.fillRect(width - 1, 0, 1, viewport()->height(), Colours(palette()).gridLine());
}

int RowsTable::wantedWidth(const ColumnSetup& column) const {
  // A heading is read whole, with its arrow.
  const int heading = fontMetrics().horizontalAdvance(column.title + u" ▾"_s) + 2 * kItemMargin;
  const bool isPlainFigure = isFigure(column.kind) && column.letters == 0;
  const int cells = isPlainFigure ? figureColumnWidth(*this)
                                  : fontMetrics().averageCharWidth() * defaultLetters(column) + 2 * kItemMargin;
  return std::max(heading, cells);
}

int RowsTable::leastWidth() const {
  int width = verticalScrollBar()->sizeHint().width();
  const std::vector<ColumnSetup>& columns = m_rows->columns();
  for (int section = 0; section < static_cast<int>(columns.size()); ++section) {
    if (isColumnHidden(section)) continue;
    const ColumnSetup& column = columns[static_cast<std::size_t>(section)];
    width += column.stretches ? wantedWidth(column) : m_heading->sectionSize(section);
  }
  return width;
}

int RowsTable::sectionOf(const std::string& field) const {
  const auto found = std::ranges::find(m_rows->columns(), field, &ColumnSetup::field);
  return found == m_rows->columns().end() ? -1 : static_cast<int>(found - m_rows->columns().begin());
}

std::vector<LineRange> RowsTable::pickedRanges() const {
  std::vector<LineRange> ranges;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    ranges.push_back({static_cast<std::uint32_t>(range.top()), static_cast<std::uint32_t>(range.height())});
  std::ranges::sort(ranges, {}, &LineRange::first);
  // Some may have lines in common.
  std::uint32_t end = 0;
  for (LineRange& range : ranges) {
    const std::uint32_t first = std::max(range.first, end);
    end = std::max(end, range.first + range.count);
    range = {first, end - first};
  }
  std::erase_if(ranges, [](const LineRange& range) { return range.count == 0; });
  return ranges;
}

std::uint64_t RowsTable::pickedCount() const {
  // Whole rows are picked, so that no two ranges have one in common.
  std::uint64_t count = 0;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    count += static_cast<std::uint64_t>(range.height());
  return count;
}

void RowsTable::showSorting(int section, bool descending) {
  m_sorted = section;
  m_isDescending = descending;
  horizontalHeader()->setSortIndicator(section, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RowsTable::pickLine(int line) {
  if (line < 0) {
    selectionModel()->clear();
    return;
  }
  if (currentIndex().row() == line) return;
  setCurrentIndex(m_rows->index(line, 0));
  scrollTo(m_rows->index(line, 0));
}

}  // namespace heapscape::gui
