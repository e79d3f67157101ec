// SPDX-License-Identifier: MIT
#include "models/rows/rows_table.h"

#include <QHeaderView>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/cells/words_delegate.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"

namespace heapscape::gui {

namespace {

int defaultLetters(const ColumnSetup& column) {
  if (column.letters > 0) return column.letters;
  return column.look == ColumnLook::TypeName ? 36 : column.look == ColumnLook::Address ? 17 : 14;
}

}  // namespace

RowsTable::RowsTable(const QString& name, const QString& title, std::vector<ColumnSetup> columns, const QString& key,
                     QWidget* parent, QHeaderView* heading)
    : QTableView(parent), m_rows(new RowsModel(std::move(columns), this)) {
  setObjectName(name);
  setAccessibleName(title);
  setModel(m_rows);
  setUpTable(this, heading ? heading : new TableHeading(this));
  setItemDelegate(new NameDelegate(this));
  setUpColumns(key);
  connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
    // The header has turned its arrow already; what is shown is still in the old order.
    horizontalHeader()->setSortIndicator(m_sorted, m_isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    const ColumnLook look = m_rows->columns()[static_cast<std::size_t>(section)].look;
    Q_EMIT sortWanted(section, section == m_sorted ? !m_isDescending : isFigure(look));
  });
}

void RowsTable::setUpColumns(const QString& key) {
  QHeaderView* heading = horizontalHeader();
  heading->setMinimumSectionSize(fontMetrics().averageCharWidth() * 5);
  const std::vector<ColumnSetup>& columns = m_rows->columns();
  int stretched = -1;  // the column that takes the room that is left
  for (int section = 0; section < static_cast<int>(columns.size()); ++section) {
    const ColumnSetup& column = columns[static_cast<std::size_t>(section)];
    heading->resizeSection(section, wantedWidth(column));
    if (column.look == ColumnLook::Words) setItemDelegateForColumn(section, new WordsDelegate(this));
    if (column.bar != ColumnBar::None) {
      const auto bar = column.bar == ColumnBar::Padding ? ShareBarDelegate::Bar::Padding : ShareBarDelegate::Bar::Plain;
      setItemDelegateForColumn(section, new ShareBarDelegate(bar, this));
    }
    if (column.stretches) stretched = section;
  }
  if (!key.isEmpty()) rememberColumns(heading, key);
  heading->setStretchLastSection(stretched < 0);
  if (stretched >= 0)
    new StretchedSection(this, heading, stretched, wantedWidth(columns[static_cast<std::size_t>(stretched)]));
  heading->setSortIndicatorShown(true);
  heading->setSortIndicator(-1, Qt::AscendingOrder);
}

int RowsTable::wantedWidth(const ColumnSetup& column) const {
  // A heading is read whole, with its arrow.
  const int heading = fontMetrics().horizontalAdvance(column.title + QStringLiteral(" ▾")) + 2 * kItemMargin;
  const bool isPlainFigure = isFigure(column.look) && column.letters == 0;
  const int cells = isPlainFigure ? figureColumnWidth(*this)
                                  : fontMetrics().averageCharWidth() * defaultLetters(column) + 2 * kItemMargin;
  return std::max(heading, cells);
}

int RowsTable::sectionOf(const std::string& field) const {
  const auto found = std::ranges::find(m_rows->columns(), field, &ColumnSetup::field);
  return found == m_rows->columns().end() ? -1 : static_cast<int>(found - m_rows->columns().begin());
}

std::vector<std::uint32_t> RowsTable::pickedLines() const {
  std::vector<std::uint32_t> lines;
  for (const QItemSelectionRange& range : selectionModel()->selection()) {
    for (int line = range.top(); line <= range.bottom(); ++line) lines.push_back(static_cast<std::uint32_t>(line));
  }
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  return lines;
}

void RowsTable::showSorting(int section, bool descending) {
  m_sorted = section;
  m_isDescending = descending;
  horizontalHeader()->setSortIndicator(section, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RowsTable::pickLine(int line) {
  if (line < 0) return selectionModel()->clear();
  if (currentIndex().row() == line) return;
  setCurrentIndex(m_rows->index(line, 0));
  scrollTo(m_rows->index(line, 0));
}

}  // namespace heapscape::gui
