// SPDX-License-Identifier: MIT
#include "views/references/graph/start_list.h"

#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QTableWidget>
#include <QVBoxLayout>

#include "bridge/literals.h"
#include "models/cells/item_painting.h"
#include "models/names/type_name.h"
#include "models/rows/table_setup.h"
#include "session/objects/retained_query.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

enum StartColumn { RetainedColumn, ShareColumn, LargestColumn, ObjectColumn, WayColumn, StartColumnCount };

constexpr std::size_t kWayEnd = 1;  // objects that are named at the end; the root always is

QTableWidgetItem* cell(const QString& text, const QString& tip, bool isFigure) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(tip);
  if (isFigure) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

QString stepName(const std::string& name, bool isRoot) {
  if (name.empty()) return u"(unknown)"_s;
  return isRoot ? shortRootName(name) : shortTypeName(name);
}

/// "static Keep.Context ▸ … ▸ Ctx": down to what dominates the object, which has a column of its own.
QString shortWay(std::vector<std::string> way) {
  way.pop_back();
  QStringList steps;
  for (std::size_t step = 0; step < way.size(); ++step) {
    if (step == 1 && way.size() > kWayEnd + 2) {
      steps << u"…"_s;
      step = way.size() - kWayEnd - 1;
    }
    steps << stepName(way[step], step == 0);
  }
  return steps.join(u" ▸ "_s);
}

QString wholeWay(const std::vector<std::string>& way) {
  constexpr std::size_t kMostTold = 30;
  QStringList steps;
  for (std::size_t step = 0; step < std::min(kMostTold, way.size()); ++step)
    steps << (step == 0 ? givenNameText(way[step]) : fromEngine(way[step]));
  if (way.size() > kMostTold) steps << u"… %1 more"_s.arg(countText(way.size() - kMostTold));
  return steps.join(u"\n▸ "_s);
}

}  // namespace

StartList::StartList(QWidget* parent) : QWidget(parent), m_table(new QTableWidget(0, StartColumnCount, this)) {
  m_table->setObjectName(u"graphStart"_s);
  m_table->setAccessibleName(u"Objects at which retained bytes come together"_s);
  m_table->setHorizontalHeaderLabels({u"Retained"_s, u"Of live"_s, u"Largest child"_s, u"Object"_s, u"Path"_s});
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (const int figures : {RetainedColumn, ShareColumn, LargestColumn})
    m_table->horizontalHeaderItem(figures)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_table->horizontalHeaderItem(LargestColumn)
      ->setToolTip(
          u"What the largest of all that the object dominates retains: the rest is spread over many, or its own"_s);
  m_table->horizontalHeaderItem(WayColumn)->setToolTip(u"The root, and what dominates the object below it"_s);
  m_table->setItemDelegate(new NameDelegate(m_table));  // cells begin where their headings do
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*m_table));
  for (const int names : {ObjectColumn, WayColumn})
    m_table->horizontalHeader()->setSectionResizeMode(names, QHeaderView::Stretch);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(RetainedColumn, letter * 12);
  m_table->setColumnWidth(ShareColumn, letter * 10);
  m_table->setColumnWidth(LargestColumn, letter * 16);
  connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
    if (static_cast<std::size_t>(row) < m_objects.size()) Q_EMIT objectPicked(m_objects[static_cast<std::size_t>(row)]);
  });
  connect(m_table, &QTableWidget::cellClicked, m_table, &QTableWidget::cellActivated);

  auto* heading = new QLabel(u"Where to begin"_s, this);
  heading->setFont(scaledFont(font(), 1.25, QFont::DemiBold));
  auto* text = new QLabel(
      u"Select an object anywhere to see what retains it and what it retains. Or begin where retained bytes come "
      "together: at objects that retain much more than the largest of what they dominate."_s,
      this);
  text->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 8);
  column->setSpacing(8);
  column->addWidget(heading);
  column->addWidget(text);
  column->addSpacing(8);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
}

void StartList::show(const std::vector<engine::AccumulationPoint>& points, const engine::Snapshot& snapshot) {
  clear();
  const std::uint64_t reachable = snapshot.retainedTotals().reachableBytes;
  m_table->setRowCount(static_cast<int>(points.size()));
  for (const engine::AccumulationPoint& point : points) {
    const auto row = static_cast<int>(m_objects.size());
    m_objects.push_back(point.object);
    const std::string name = point.type.isNone() ? std::string() : snapshot.types()[point.type.value].name;
    m_table->setItem(row, RetainedColumn,
                     cell(bytesText(point.retainedBytes), exactBytesText(point.retainedBytes), true));
    m_table->setItem(row, ShareColumn, cell(percentText(point.retainedBytes, reachable), u"Of what is live"_s, true));
    m_table->setItem(row, LargestColumn,
                     cell(bytesText(point.largestChildBytes), exactBytesText(point.largestChildBytes), true));
    m_table->setItem(
        row, ObjectColumn,
        cell(stepName(name, false), fromEngine(name) + QLatin1Char('\n') + addressText(point.object), false));
    m_table->setItem(row, WayColumn, cell(shortWay(point.way), wholeWay(point.way), false));
  }
}

void StartList::clear() {
  m_objects.clear();
  m_table->setRowCount(0);
}

}  // namespace heapscape::gui
