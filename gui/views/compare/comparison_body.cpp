// SPDX-License-Identifier: MIT
#include "views/compare/comparison_body.h"

#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "insight/comparison/comparison_tables.h"
#include "models/rows/rows_panel.h"
#include "views/compare/compared_dumps.h"
#include "views/compare/comparison_rows.h"
#include "views/compare/growth_chart.h"
#include "widgets/choice_bar.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kObjectsChannel = "compare.objects";
constexpr int kLinesForChart = 40;

RowsPanelSetup setupOf(const char* name, const QString& title, const QString& noun, const QString& emptyHeading,
                       const QString& emptyText, std::vector<ColumnSetup> columns) {
  RowsPanelSetup setup;
  setup.name = QLatin1String(name);
  setup.title = title;
  setup.noun = noun;
  setup.filterHint = QStringLiteral("Filter");
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = std::move(columns);
  return setup;
}

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup =
      setupOf("changedTypes", QStringLiteral("Types of both dumps"), QStringLiteral("types"),
              QStringLiteral("No types"), QStringLiteral("Neither dump has objects."), typeChangeColumns());
  setup.filterHint = QStringLiteral("Filter by type");
  setup.kinds = {static_cast<std::size_t>(engine::TypeFate::Grown), static_cast<std::size_t>(engine::TypeFate::Shrunk),
                 static_cast<std::size_t>(engine::TypeFate::New), static_cast<std::size_t>(engine::TypeFate::Gone)};
  return setup;
}

RowsPanelSetup changesSetup(const char* name, const QString& title, const QString& noun, const QString& emptyHeading,
                            const QString& emptyText, std::vector<ColumnSetup> columns) {
  RowsPanelSetup setup = setupOf(name, title, noun, emptyHeading, emptyText, std::move(columns));
  setup.kinds = {0};  // what has changed
  return setup;
}

}  // namespace

ComparisonBody::ComparisonBody(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_choice(new ChoiceBar(
          QStringLiteral("comparisonPart"),
          {QStringLiteral("Types"), QStringLiteral("Figures"), QStringLiteral("Insights"), QStringLiteral("Layouts")},
          {QStringLiteral("Which types grew and shrunk"),
           QStringLiteral("Segments, handles, threads, modules and the process's memory"),
           QStringLiteral("Waste and leaks that came, went, grew or shrunk"),
           QStringLiteral("Types of one name that are laid out otherwise")},
          this)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_chart(new GrowthChart(this)),
      m_objects(new RowsPanel(
          bridge, navigator,
          setupOf("comparedObjects", QStringLiteral("Objects of the type in both dumps"), QStringLiteral("objects"),
                  QStringLiteral("Pick a type"), QStringLiteral("Its objects in both dumps are listed here."),
                  comparedObjectSchema().setups()),
          {}, this)),
      m_figures(new RowsPanel(
          bridge, navigator,
          changesSetup("changedFigures", QStringLiteral("Figures of both dumps"), QStringLiteral("figures"),
                       QStringLiteral("No figures"), {}, figureChangeSchema().setups()),
          {}, this)),
      m_insights(new RowsPanel(
          bridge, navigator,
          changesSetup("changedInsights", QStringLiteral("Insights of both dumps"), QStringLiteral("insights"),
                       QStringLiteral("No insights"), QStringLiteral("Neither dump has waste or leaks worth a line."),
                       insightChangeSchema().setups()),
          {}, this)),
      m_layouts(
          new RowsPanel(bridge, navigator,
                        setupOf("changedLayouts", QStringLiteral("Types that are laid out otherwise"),
                                QStringLiteral("types"), QStringLiteral("No difference"),
                                QStringLiteral("Every type that both dumps have objects of is laid out the same."),
                                layoutChangeSchema(false).setups()),
                        {}, this)),
      m_pages(new QStackedLayout) {
  m_pages->addWidget(buildTypes());
  for (RowsPanel* panel : {m_figures, m_insights, m_layouts}) m_pages->addWidget(panel);
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
  connect(m_chart, &GrowthChart::picked, this, &ComparisonBody::pickType);
}

QWidget* ComparisonBody::buildTypes() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(m_chart);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* side = new QSplitter(Qt::Vertical, this);
  m_growth = new Section(QStringLiteral("Grown and shrunk most"), scroll, this);
  m_growth->setContentsMargins(12, 4, 12, 0);
  side->addWidget(m_growth);
  side->addWidget(m_objects);
  side->setSizes({400, 300});
  auto* body = new QSplitter(Qt::Horizontal, this);
  body->addWidget(m_types);
  body->addWidget(side);
  body->setStretchFactor(0, 3);
  body->setStretchFactor(1, 2);
  body->setSizes({640, 400});
  for (QSplitter* splitter : {side, body}) {
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
  }
  return body;
}

// Where room is short the chart goes first: the list has the same bars.
void ComparisonBody::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_growth->setVisible(height() >= fontMetrics().height() * kLinesForChart);
}

void ComparisonBody::show(std::shared_ptr<const ComparedDumps> compared) {
  m_compared = std::move(compared);
  m_objects->clear();
  m_objects->setNote({});
  m_chart->show(m_compared->bars);
  m_types->pickFirst();
  m_types->setRows(m_compared->types);
  m_figures->setRows(m_compared->figures);
  m_insights->setRows(m_compared->insights);
  m_layouts->setRows(m_compared->layouts);
}

void ComparisonBody::clear() {
  m_bridge.stopAsking(this, kObjectsChannel);
  m_compared.reset();
  m_chart->show({});
  for (RowsPanel* panel : {m_types, m_objects, m_figures, m_insights, m_layouts}) panel->clear();
}

void ComparisonBody::pickType(std::uint32_t row) {
  if (!m_compared) return;
  m_types->pick(m_compared->types->identity(row));
  showObjects(row);
}

void ComparisonBody::showObjects(std::uint32_t row) {
  if (!m_compared) return;
  m_bridge.compute(
      this, kObjectsChannel,
      [compared = m_compared, row](std::stop_token stop) { return objectsOfType(*compared, row, stop); },
      [this](ComparedObjects objects) {
        m_objects->setNote(objects.isCut ? QStringLiteral("There are more; these are the first of each dump.")
                                         : QString());
        m_objects->setRows(std::move(objects.rows));
      });
}

}  // namespace heapscape::gui
