// SPDX-License-Identifier: MIT
#include "models/rows/header_columns.h"

#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <utility>

#include "bridge/literals.h"
#include "models/cells/roles.h"
#include "models/rows/table_setup.h"
#include "widgets/context_menu.h"

namespace heapscape::gui {
namespace {

constexpr int kSaveDelayMs = 500;

const QHeaderView* headingOf(const QAbstractItemView& view) {
  if (const auto* table = qobject_cast<const QTableView*>(&view)) return table->horizontalHeader();
  const auto* tree = qobject_cast<const QTreeView*>(&view);
  return tree ? tree->header() : nullptr;
}

// Fits a column to its cells and its heading.
void fitColumn(QHeaderView& header, int section) {
  if (auto* table = qobject_cast<QTableView*>(header.parentWidget())) {
    table->resizeColumnToContents(section);
    return;
  }
  if (auto* tree = qobject_cast<QTreeView*>(header.parentWidget())) tree->resizeColumnToContents(section);
}

}  // namespace

std::vector<int> shownColumns(const QAbstractItemView& view) {
  std::vector<int> columns;
  const QHeaderView* heading = headingOf(view);
  const int count = view.model()->columnCount(view.rootIndex());
  for (int visual = 0; visual < count; ++visual) {
    const int column = heading ? heading->logicalIndex(visual) : visual;
    if (column >= 0 && (!heading || !heading->isSectionHidden(column))) columns.push_back(column);
  }
  return columns;
}

HeaderColumns::HeaderColumns(QHeaderView* header, QString key)
    : QObject(header), m_header(header), m_key(key.isEmpty() ? key : u"columns/"_s + key) {
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this, &HeaderColumns::openMenu);
  m_first = current();
  apply(m_first, 0);
  if (m_key.isEmpty()) return;
  restore();
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  timer->setInterval(kSaveDelayMs);
  const auto saveSoon = [this, timer] {
    if (!m_isApplying) timer->start();
  };
  connect(header, &QHeaderView::sectionResized, this, saveSoon);
  connect(header, &QHeaderView::sectionMoved, this, saveSoon);
  connect(this, &HeaderColumns::shownChanged, this, saveSoon);
  connect(this, &HeaderColumns::pinnedChanged, this, saveSoon);
  connect(timer, &QTimer::timeout, this, &HeaderColumns::save);
}

QString HeaderColumns::titleOf(int section) const {
  return m_header->model()->headerData(section, Qt::Horizontal).toString();
}

QString HeaderColumns::nameOf(int section) const {
  const QString name = m_header->model()->headerData(section, Qt::Horizontal, kColumnNameRole).toString();
  return name.isEmpty() ? titleOf(section) : name;
}

bool HeaderColumns::isExtra(int section) const {
  return m_header->model()->headerData(section, Qt::Horizontal, kIsExtraColumnRole).toBool();
}

int HeaderColumns::sectionOf(const QString& name) const {
  for (int section = 0; section < m_header->count(); ++section) {
    if (nameOf(section) == name) return section;
  }
  return -1;
}

std::vector<HeaderColumns::Column> HeaderColumns::current() const {
  std::vector<Column> columns;
  for (int visual = 0; visual < m_header->count(); ++visual) {
    const int section = m_header->logicalIndex(visual);
    const bool isHidden = m_header->isSectionHidden(section);
    const auto known = m_isKnown ? std::ranges::find(m_first, nameOf(section), &Column::name) : m_first.end();
    const int width =
        isHidden && known != m_first.end() ? known->width : StretchedSection::chosenWidth(*m_header, section);
    columns.push_back({nameOf(section), width, m_isKnown ? !isHidden : !isExtra(section) && !isHidden});
  }
  return columns;
}

void HeaderColumns::apply(const std::vector<Column>& columns, int pinned) {
  m_isApplying = true;
  m_isKnown = true;
  // The header keeps another size of a section than that of one that it stretches, and mixes them up when it hides one.
  const bool isStretched = m_header->stretchLastSection();
  m_header->setStretchLastSection(false);
  int place = 0;
  for (const Column& column : columns) {
    const int section = sectionOf(column.name);
    if (section < 0) continue;
    m_header->moveSection(m_header->visualIndex(section), place++);
    m_header->setSectionHidden(section, false);
    m_header->resizeSection(section, column.width);
    m_header->setSectionHidden(section, !column.isShown);
  }
  if (!m_header->isFirstSectionMovable()) m_header->moveSection(m_header->visualIndex(0), 0);
  m_header->setStretchLastSection(isStretched);
  m_isApplying = false;
  setPinned(pinned);
}

void HeaderColumns::changeColumns(const std::function<void()>& change) {
  std::vector<Column> columns = current();
  change();
  for (int section = 0; section < m_header->count(); ++section) {
    const QString name = nameOf(section);
    if (std::ranges::find(columns, name, &Column::name) != columns.end()) continue;
    columns.push_back({name, m_header->sectionSize(section), !isExtra(section)});
    m_first.push_back(columns.back());
  }
  apply(columns, m_pinned);
  Q_EMIT shownChanged();
}

void HeaderColumns::restore() {
  std::vector<Column> columns;
  int pinned = 0;
  for (const QString& line : QSettings().value(m_key).toStringList()) {
    const int width = line.section(QLatin1Char(' '), 0, 0).toInt();
    const QString state = line.section(QLatin1Char(' '), 1, 1);
    if (width <= 0 || state.isEmpty()) return;  // as an older version wrote it
    pinned += state == QLatin1String("pinned");
    columns.push_back({line.section(QLatin1Char(' '), 2), width, state != QLatin1String("hidden")});
  }
  // A column that there was not when this was kept.
  for (const Column& column : m_first) {
    if (std::ranges::find(columns, column.name, &Column::name) == columns.end()) columns.push_back(column);
  }
  apply(columns, pinned);
}

void HeaderColumns::save() const {
  QStringList lines;
  int left = m_pinned;
  for (const Column& column : current()) {
    const bool isPinned = column.isShown && left-- > 0;
    const QString state = isPinned ? u"pinned"_s : column.isShown ? u"shown"_s : u"hidden"_s;
    lines << u"%1 %2 %3"_s.arg(std::max(1, column.width)).arg(state, column.name);
  }
  QSettings().setValue(m_key, lines);
}

void HeaderColumns::reset() {
  apply(m_first, 0);
  Q_EMIT shownChanged();
}

bool HeaderColumns::isLastShown(int section) const {
  return !m_header->isSectionHidden(section) && m_header->hiddenSectionCount() + 1 == m_header->count();
}

void HeaderColumns::setShown(int section, bool isShown) {
  if (section < 0 || isShown != m_header->isSectionHidden(section)) return;
  if (!isShown && isLastShown(section)) return;
  m_header->setSectionHidden(section, !isShown);
  Q_EMIT shownChanged();
}

void HeaderColumns::setPinned(int sections) {
  const int most = m_header->count() - m_header->hiddenSectionCount() - 1;
  const int pinned = m_mayPin ? std::clamp(sections, 0, std::max(0, most)) : sections;
  if (std::exchange(m_pinned, pinned) != pinned) Q_EMIT pinnedChanged(pinned);
}

void HeaderColumns::addPinning(QMenu& menu, int section) {
  if (!m_mayPin) return;
  int upTo = 0;  // sections that are shown, this one included
  for (int visual = 0; section >= 0 && visual <= m_header->visualIndex(section); ++visual)
    upTo += !m_header->isSectionHidden(m_header->logicalIndex(visual));
  const int shown = m_header->count() - m_header->hiddenSectionCount();
  if (section >= 0 && upTo < shown && upTo != m_pinned) {
    menu.addAction(upTo == 1 ? u"Pin “%1”"_s.arg(titleOf(section)) : u"Pin all up to “%1”"_s.arg(titleOf(section)),
                   this, [this, upTo] { setPinned(upTo); });
  }
  if (m_pinned > 0) {
    menu.addAction(m_pinned == 1 ? u"Unpin the column"_s : u"Unpin the columns"_s, this, [this] { setPinned(0); });
  }
}

void HeaderColumns::addFitting(QMenu& menu, int section) {
  if (section >= 0) {
    menu.addAction(u"Fit “%1”"_s.arg(titleOf(section)), this, [this, section] { fitColumn(*m_header, section); });
  }
  menu.addAction(u"Fit all columns"_s, this, [this] {
    for (int each = 0; each < m_header->count(); ++each) {
      if (!m_header->isSectionHidden(each)) fitColumn(*m_header, each);
    }
  });
}

void HeaderColumns::fill(QMenu& menu, int section) {
  if (section >= 0 && !isLastShown(section)) {
    menu.addAction(u"Hide “%1”"_s.arg(titleOf(section)), this, [this, section] { setShown(section, false); });
  }
  addFitting(menu, section);
  addPinning(menu, section);
  if (m_more) m_more(menu, section);
  menu.addSeparator();
  for (int each = 0; each < m_header->count(); ++each) {
    if (titleOf(each).isEmpty()) continue;
    QAction* shown = menu.addAction(titleOf(each), this, [this, each](bool isOn) { setShown(each, isOn); });
    shown->setCheckable(true);
    shown->setChecked(!m_header->isSectionHidden(each));
    shown->setEnabled(!isLastShown(each));
    shown->setToolTip(m_header->model()->headerData(each, Qt::Horizontal, Qt::ToolTipRole).toString());
  }
  menu.setToolTipsVisible(true);
  menu.addSeparator();
  menu.addAction(u"Reset the columns"_s, this, &HeaderColumns::reset);
}

void HeaderColumns::openMenu(const QPoint& position) {
  const ContextMenu opened(m_header);
  QMenu& menu = *opened;
  menu.setObjectName(u"columnsMenu"_s);
  const auto* heading = qobject_cast<TableHeading*>(m_header);
  fill(menu, heading ? heading->sectionAt(position) : m_header->logicalIndexAt(position));
  menu.exec(m_header->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui
