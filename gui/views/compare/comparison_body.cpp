// SPDX-License-Identifier: MIT
#include "views/compare/comparison_body.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "insight/comparison/comparison_tables.h"
#include "models/rows/rows_panel.h"
#include "views/compare/comparison_head.h"
#include "views/compare/comparison_rows.h"
#include "views/compare/difference_icicle.h"
#include "views/compare/growth_chart.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/colours.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/legend_chip.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

constexpr auto kObjectsChannel = "compare.objects";
constexpr auto kWayChannel = "compare.way";
constexpr auto kLayoutsChannel = "compare.layouts";
constexpr int kLinesForChart = 40;
constexpr int kLinesForWay = 24;
constexpr int kLinesForBelow = 28;
// In letters: what the chart and the objects want beside the types, and what they have in small windows.
constexpr int kLettersBeside = 60, kLeastLettersBeside = 36;
constexpr int kLeastShareOfTypes = 62, kLeastShareAbove = 55;  // percent

RowsPanelSetup setupOf(const char* name, const QString& title, const QString& noun, const QString& emptyHeading,
                       const QString& emptyText, std::vector<ColumnSetup> columns) {
  RowsPanelSetup setup;
  setup.name = QLatin1String(name);
  setup.title = title;
  setup.noun = noun;
  setup.filterHint = u"Filter"_s;
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = std::move(columns);
  return setup;
}

/// What grew most first, and an arrow over the column that says so.
void sortByGrowth(RowsPanelSetup& setup) {
  const auto growth =
      std::ranges::find_if(setup.columns, [](const ColumnSetup& column) { return column.field == "growth"; });
  if (growth == setup.columns.end()) return;
  setup.sortColumn = static_cast<int>(growth - setup.columns.begin());
  setup.descending = true;
}

QString noDifferences() {
  return u"No differences"_s;
}

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup = setupOf("changedTypes", u"Types of both dumps"_s, u"types"_s, noDifferences(),
                                 u"Every type has as many bytes in both dumps."_s, typeChangeColumns());
  setup.filterHint = u"Filter by type"_s;
  setup.kinds = {static_cast<std::size_t>(engine::TypeFate::Grown), static_cast<std::size_t>(engine::TypeFate::Shrunk),
                 static_cast<std::size_t>(engine::TypeFate::New), static_cast<std::size_t>(engine::TypeFate::Gone)};
  sortByGrowth(setup);
  return setup;
}

/// `same`: what is said where nothing has changed.
RowsPanelSetup changesSetup(const char* name, const QString& title, const QString& noun, const QString& same,
                            std::vector<ColumnSetup> columns) {
  RowsPanelSetup setup = setupOf(name, title, noun, noDifferences(), same, std::move(columns));
  setup.kinds = {0};  // what has changed
  sortByGrowth(setup);
  return setup;
}

}  // namespace

ComparisonBody::ComparisonBody(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_choice(new ChoiceBar(
          u"comparisonPart"_s,
          {u"Types"_s, u"Owners"_s, u"Roots"_s, u"Dominators"_s, u"Figures"_s, u"Insights"_s, u"Layouts"_s},
          {u"Which types grew and shrunk"_s, u"Bytes that each static, type, thread or kind of handles holds"_s,
           u"What the objects of each root retain"_s, u"Both dominator trees laid over each other: where it grew"_s,
           u"Segments, handles, threads, modules and the process's memory"_s,
           u"Waste and leaks that came, went, grew or shrunk"_s, u"Types of one name that are laid out otherwise"_s},
          this)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_chart(new GrowthChart(this)),
      m_objects(new RowsPanel(
          bridge, navigator,
          setupOf("comparedObjects", u"Objects of the type in both dumps"_s, u"objects"_s, u"Pick a type"_s,
                  u"Its objects in both dumps are listed here."_s, comparedObjectSchema({}, {}).setups()),
          {}, this)),
      m_way(
          new RowsPanel(bridge, navigator,
                        setupOf("comparedWay", u"The path from the root, step by step"_s, u"steps"_s, u"Unreachable"_s,
                                u"No root leads to this object: it is garbage."_s, comparedStepSchema().setups()),
                        {}, this)),
      m_wayRoot(new ElidedText(this)),
      m_wayExpression(new ElidedText(this)),
      m_owners(new RowsPanel(bridge, navigator,
                             changesSetup("changedOwners", u"Owners of both dumps"_s, u"owners"_s,
                                          u"Every owner holds as much in both dumps."_s, ownerChangeSchema().setups()),
                             {}, this)),
      m_roots(new RowsPanel(
          bridge, navigator,
          changesSetup("changedRoots", u"Roots of both dumps"_s, u"roots"_s,
                       u"The objects of every root retain as much in both dumps."_s, rootChangeSchema().setups()),
          {}, this)),
      m_dominators(new DifferenceIcicle(this)),
      m_figures(new RowsPanel(bridge, navigator,
                              changesSetup("changedFigures", u"Figures of both dumps"_s, u"figures"_s,
                                           u"Every figure is the same in both dumps."_s, figureChangeSchema().setups()),
                              {}, this)),
      m_insights(new RowsPanel(bridge, navigator,
                               changesSetup("changedInsights", u"Insights of both dumps"_s, u"insights"_s,
                                            u"Neither dump has waste or leaks that the other one has not."_s,
                                            insightChangeSchema().setups()),
                               {}, this)),
      m_layouts(
          new RowsPanel(bridge, navigator,
                        setupOf("changedLayouts", u"Types that are laid out otherwise"_s, u"types"_s, noDifferences(),
                                u"Every type that both dumps have objects of is laid out the same."_s,
                                layoutChangeSchema(false).setups()),
                        {}, this)),
      m_diagram(new SideBySideDiagram(this)),
      m_pages(new QStackedLayout) {
  m_pages->addWidget(buildTypes());
  for (RowsPanel* panel : {m_owners, m_roots}) m_pages->addWidget(panel);
  m_pages->addWidget(buildDominators());
  for (RowsPanel* panel : {m_figures, m_insights}) m_pages->addWidget(panel);
  m_pages->addWidget(buildLayouts());
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(16, 0, 16, 0);
  choices->addWidget(m_choice);
  choices->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addLayout(choices);
  column->addLayout(m_pages, 1);
  connect(m_choice, &ChoiceBar::chosen, m_pages, &QStackedLayout::setCurrentIndex);
  connect(m_types, &RowsPanel::rowPicked, this, &ComparisonBody::showObjects);
  connect(m_types, &RowsPanel::rowActivated, this, &ComparisonBody::showObjects);
  connect(m_objects, &RowsPanel::rowPicked, this, &ComparisonBody::showWay);
  connect(m_layouts, &RowsPanel::rowPicked, this, &ComparisonBody::showLayouts);
  // The diagrams are here: nobody has to look for them elsewhere.
  m_layouts->setActivation([this](const RowLink&) { m_diagram->setFocus(); });
  connect(m_chart, &GrowthChart::picked, this, &ComparisonBody::pickType);
}

QWidget* ComparisonBody::buildTypes() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(m_chart);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  m_side = new QSplitter(Qt::Vertical, this);
  m_growth = new Section(u"Largest changes"_s, scroll, this);
  m_growth->setContentsMargins(12, 4, 12, 0);
  auto* way = new QWidget(this);
  auto* lines = new QVBoxLayout(way);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(2);
  m_wayRoot->setObjectName(u"comparedWayRoot"_s);
  m_wayExpression->setFont(fixedFont(font()));
  lines->addWidget(m_wayRoot);
  lines->addWidget(m_wayExpression);
  lines->addWidget(m_way, 1);
  m_alive = new Section(u"Why is it alive?"_s, way, this);
  m_alive->setContentsMargins(12, 4, 12, 0);
  m_alive->hide();
  m_side->addWidget(m_growth);
  m_side->addWidget(m_objects);
  m_side->addWidget(m_alive);
  m_side->setSizes({400, 300, 260});
  m_split = new QSplitter(Qt::Horizontal, this);
  m_split->addWidget(m_types);
  m_split->addWidget(m_side);
  m_split->setStretchFactor(0, 3);
  m_split->setStretchFactor(1, 2);
  connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });
  for (QSplitter* splitter : {m_side, m_split}) {
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
  }
  return m_split;
}

QWidget* ComparisonBody::buildDominators() {
  auto* page = new QWidget(this);
  auto* scroll = new QScrollArea(page);
  scroll->setWidget(m_dominators);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* legend = new QWidget(page);
  auto* chips = new FlowLayout(legend, 12);
  chips->setContentsMargins(0, 0, 0, 6);
  for (const DifferenceFate fate : {DifferenceFate::Same, DifferenceFate::Grown, DifferenceFate::Shrunk}) {
    chips->addWidget(new LegendChip(
        fate == DifferenceFate::Same    ? differenceFateText(fate)
        : fate == DifferenceFate::Grown ? u"Grown: a bar along the top"_s
                                        : u"Shrunk: a bar along the bottom"_s,
        [fate](const Colours& colours) { return ChipSample{.fill = differenceColour(fate, colours)}; }, legend));
  }
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(16, 0, 16, 0);
  column->setSpacing(4);
  column->addWidget(
      makeNote(u"Each part is as wide as it retains in the dump that has more of it. A click goes into it, "
               "Escape out again."_s,
               page));
  column->addWidget(scroll, 1);
  column->addWidget(legend);
  return page;
}

QWidget* ComparisonBody::buildLayouts() {
  m_beforeAndAfter = new Section(u"Before and after"_s, m_diagram, this);
  m_beforeAndAfter->setContentsMargins(16, 4, 16, 0);
  auto* body = new QSplitter(Qt::Vertical, this);
  body->addWidget(m_layouts);
  body->addWidget(m_beforeAndAfter);
  body->setSizes({240, 420});
  body->setHandleWidth(1);
  body->setChildrenCollapsible(false);
  return body;
}

void ComparisonBody::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareRoom();
}

// A list is read whole: where chart and objects would take room from its columns they stand below it, if there is the
// height for that. Where height is short, too, the chart goes first: the list has the same bars.
void ComparisonBody::shareRoom() {
  if (width() <= 0) return;
  const int letter = fontMetrics().averageCharWidth();
  const int least = m_types->leastWidth() + m_split->handleWidth();
  int beside = letter * kLettersBeside;
  for (const QWidget* part : {static_cast<QWidget*>(m_growth), static_cast<QWidget*>(m_objects)})
    beside = std::max(beside, part->minimumSizeHint().width());
  const bool isBelow = width() < least + beside && height() >= fontMetrics().height() * kLinesForBelow;
  if (isBelow != (m_split->orientation() == Qt::Vertical)) {
    m_split->setOrientation(isBelow ? Qt::Vertical : Qt::Horizontal);
    m_side->setOrientation(isBelow ? Qt::Horizontal : Qt::Vertical);
    m_isSplitByHand = false;
  }
  if (!m_isSplitByHand) {
    const int whole = isBelow ? height() : width();
    const int types =
        isBelow ? whole * kLeastShareAbove / 100
                : std::max(whole * kLeastShareOfTypes / 100, std::min(least, whole - letter * kLeastLettersBeside));
    m_split->setSizes({types, whole - types});
  }
  const int lines = m_alive->isHidden() ? kLinesForChart : kLinesForChart + kLinesForWay;
  const bool hasBars = m_compared && !m_compared->bars.empty();
  m_growth->setVisible(hasBars && height() >= fontMetrics().height() * lines);
}

void ComparisonBody::showAlive(bool isShown) {
  m_alive->setVisible(isShown);
  shareRoom();
}

void ComparisonBody::show(std::shared_ptr<const ComparedDumps> compared) {
  m_compared = std::move(compared);
  m_objects->clear();
  m_objects->showEmpty();
  m_objects->setNote({});
  showAlive(false);
  m_diagram->show({});
  m_beforeAndAfter->setVisible(m_compared->layouts->size() > 0);
  m_chart->show(m_compared->bars);
  m_dominators->show(m_compared->dominators);
  m_types->pickFirst();
  m_layouts->pickFirst();
  m_types->setRows(m_compared->types);
  m_owners->setRows(m_compared->owners);
  m_roots->setRows(m_compared->roots);
  m_figures->setRows(m_compared->figures);
  m_insights->setRows(m_compared->insights);
  m_layouts->setRows(m_compared->layouts);
}

void ComparisonBody::clear() {
  for (const char* channel : {kObjectsChannel, kWayChannel, kLayoutsChannel}) m_bridge.stopAsking(this, channel);
  m_compared.reset();
  m_chart->show({});
  m_dominators->show({});
  m_diagram->show({});
  showAlive(false);
  for (RowsPanel* panel : {m_types, m_objects, m_way, m_owners, m_roots, m_figures, m_insights, m_layouts})
    panel->clear();
}

void ComparisonBody::pickType(std::uint32_t row) {
  if (!m_compared) return;
  m_types->pick(m_compared->types->identity(row));
  showObjects(row);
}

void ComparisonBody::showObjects(std::uint32_t row) {
  if (!m_compared) return;
  m_bridge.stopAsking(this, kWayChannel);
  showAlive(false);
  m_bridge.compute(
      this, kObjectsChannel,
      [compared = m_compared, row](std::stop_token stop) { return objectsOfType(*compared, row, stop); },
      [this](ComparedObjects objects) {
        m_objects->setNote(objects.isCut ? u"There are more; these are the first of each dump."_s : QString());
        m_objects->setRows(std::move(objects.rows));
      });
}

// Of the other dump, too, which stays where it is.
void ComparisonBody::showWay(std::uint32_t row) {
  if (!m_compared || !m_objects->rows()) return;
  const ComparedObject object = m_objects->rows()->as<ComparedObject>(row);
  m_alive->setHeading(u"Why is it alive in %1?"_s.arg(dumpName(object.isOther ? m_compared->other : m_compared->open)));
  showAlive(true);
  m_wayRoot->setText({});
  m_wayExpression->setText({});
  m_way->showWaiting(u"Looking for its roots"_s);
  m_bridge.compute(
      this, kWayChannel,
      [compared = m_compared, object](std::stop_token stop) { return wayTo(*compared, object, std::move(stop)); },
      [this](engine::Outcome<ComparedWay> way) {
        if (!way) {
          if (!way.error().isCancelled()) m_way->showFailure(way.error().error());
          return;
        }
        m_wayRoot->setText(way->root.isEmpty() ? u"Unreachable: it is garbage"_s
                                               : u"Root: %1"_s.arg(givenNameText(way->root.toStdString())));
        m_wayExpression->setText(way->expression);
        m_wayExpression->setVisible(!way->expression.isEmpty());
        m_way->setVisible(way->steps != nullptr);
        if (way->steps) m_way->setRows(std::move(way->steps));
      });
}

void ComparisonBody::showLayouts(std::uint32_t row) {
  if (!m_compared) return;
  m_bridge.compute(
      this, kLayoutsChannel, [compared = m_compared, row](std::stop_token) { return layoutsOfType(*compared, row); },
      [this](engine::Result<std::vector<DiagramColumn>> columns) {
        m_diagram->show(columns ? std::move(*columns) : std::vector<DiagramColumn>());
      });
}

}  // namespace heapscape::gui
