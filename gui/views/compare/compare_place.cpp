// SPDX-License-Identifier: MIT
#include "views/compare/compare_place.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "insight/comparison/comparison_tables.h"
#include "models/retained_offer.h"
#include "models/rows/rows_panel.h"
#include "views/compare/comparison_head.h"
#include "views/compare/comparison_rows.h"
#include "views/compare/film/film_view.h"
#include "views/compare/growth_chart.h"
#include "widgets/choice_bar.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// A comparison: types with a picture of their growth and their objects, figures, insights, layouts.
class ComparisonBody : public QWidget {
 public:
  ComparisonBody(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ComparedDumps> compared);
  void clear();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildTypes();
  void showObjects(std::uint32_t row);
  void pickType(std::uint32_t row);

  EngineBridge& m_bridge;
  std::shared_ptr<const ComparedDumps> m_compared;
  ChoiceBar* m_choice;
  RowsPanel* m_types;
  GrowthChart* m_chart;
  RowsPanel* m_objects;
  RowsPanel* m_figures;
  RowsPanel* m_insights;
  RowsPanel* m_layouts;
  Section* m_growth = nullptr;
  QStackedLayout* m_pages;
};

namespace {

constexpr auto kObjectsChannel = "compare.objects";
constexpr int kLinesForChart = 40;

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

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup = setupOf("changedTypes", u"Types of both dumps"_s, u"types"_s, u"No types"_s,
                                 u"Neither dump has objects."_s, typeChangeColumns());
  setup.filterHint = u"Filter by type"_s;
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
          u"comparisonPart"_s, {u"Types"_s, u"Figures"_s, u"Insights"_s, u"Layouts"_s},
          {u"Which types grew and shrunk"_s, u"Segments, handles, threads, modules and the process's memory"_s,
           u"Waste and leaks that came, went, grew or shrunk"_s, u"Types of one name that are laid out otherwise"_s},
          this)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_chart(new GrowthChart(this)),
      m_objects(new RowsPanel(
          bridge, navigator,
          setupOf("comparedObjects", u"Objects of the type in both dumps"_s, u"objects"_s, u"Pick a type"_s,
                  u"Its objects in both dumps are listed here."_s, comparedObjectSchema().setups()),
          {}, this)),
      m_figures(new RowsPanel(bridge, navigator,
                              changesSetup("changedFigures", u"Figures of both dumps"_s, u"figures"_s, u"No figures"_s,
                                           {}, figureChangeSchema().setups()),
                              {}, this)),
      m_insights(new RowsPanel(
          bridge, navigator,
          changesSetup("changedInsights", u"Insights of both dumps"_s, u"insights"_s, u"No insights"_s,
                       u"Neither dump has waste or leaks worth a line."_s, insightChangeSchema().setups()),
          {}, this)),
      m_layouts(new RowsPanel(
          bridge, navigator,
          setupOf("changedLayouts", u"Types that are laid out otherwise"_s, u"types"_s, u"No difference"_s,
                  u"Every type that both dumps have objects of is laid out the same."_s,
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
  m_growth = new Section(u"Grown and shrunk most"_s, scroll, this);
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
        m_objects->setNote(objects.isCut ? u"There are more; these are the first of each dump."_s : QString());
        m_objects->setRows(std::move(objects.rows));
      });
}

namespace {

constexpr auto kChannel = "compare";
constexpr auto kReleaseChannel = "compare.release";

/// The files that are dragged; none if anything else is among them.
QStringList draggedFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    paths << url.toLocalFile();
  }
  return paths;
}

}  // namespace

ComparePlace::ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_head(new ComparisonHead(this)),
      m_body(new ComparisonBody(bridge, navigator, this)),
      m_film(new FilmView(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_with(std::make_unique<ComparedWith>()) {
  setAcceptDrops(true);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_body);
  m_pages->addWidget(m_film);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(m_pages, 1);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &ComparePlace::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &ComparePlace::showLacking);
  connect(m_head, &ComparisonHead::picked, this, &ComparePlace::takeFiles);
  connect(m_head, &ComparisonHead::morePicked, this,
          [this](const QStringList& paths) { putInRow(QStringList(m_with->path) << paths); });
  connect(m_film, &FilmView::openWanted, this, [this](const QString& path) { m_bridge.open(path); });
  connect(m_film, &FilmView::endWanted, this, &ComparePlace::endRow);
  connect(m_head, &ComparisonHead::swapWanted, this, &ComparePlace::swap);
  connect(m_head, &ComparisonHead::openWanted, this, [this] { m_bridge.open(m_with->path); });
  clear();
}

ComparePlace::~ComparePlace() = default;

void ComparePlace::setRecentDumps(const QStringList& paths) {
  m_head->setRecentDumps(paths);
}

void ComparePlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (m_isReady) {
    if (!m_film->isEmpty()) m_film->showAgain();
    return;
  }
  m_head->showFile(m_bridge.path());
  if (!snapshot.has(engine::Stage::Retained)) {
    showLacking();
    return;
  }
  m_isReady = true;
  invite();
  // A row stays as long as one of its own is opened.
  if (m_film->isEmpty()) return;
  if (!m_film->has(m_bridge.path())) {
    endRow();
    return;
  }
  m_head->hide();
  m_film->showAgain();
  m_pages->setCurrentWidget(m_film);
}

// Retained sizes are compared, too.
void ComparePlace::showLacking() {
  if (m_isReady || !m_bridge.snapshot()) return;
  showRetainedState(*m_state, m_bridge);
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::invite() {
  m_head->showFile(m_bridge.path());
  m_head->setReady(true);
  m_state->showEmpty(u"Compare with another dump"_s,
                     u"Choose a dump of the same program, or drop one here. Types, figures, insights and layouts are "
                     "compared by name, also after a rebuild or on another version of .NET. Several dumps are put in a "
                     "row: what grows steadily is kept apart from what comes and goes."_s);
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::clear() {
  m_isReady = false;
  m_bridge.stopAsking(this, kChannel);
  m_body->clear();
  m_film->pause();
  release();
  m_head->show();
  m_head->showFile({});
  m_state->showEmpty(u"Nothing is open"_s, u"Open a core dump to compare it with another one."_s);
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::compareWith(const QString& path) {
  if (m_isReady) compare({.path = path, .isEarlier = true}, std::nullopt);
}

void ComparePlace::swap() {
  if (!m_compared) return;
  compare({.path = m_with->path, .isEarlier = !m_with->isEarlier}, m_compared->other);
}

void ComparePlace::compare(const ComparedWith& with, std::optional<engine::Snapshot> other) {
  *m_with = with;
  m_head->showNoResult();
  showProgress({});
  m_pages->setCurrentWidget(m_state);
  using Answer = engine::Outcome<std::shared_ptr<const ComparedDumps>>;
  m_bridge.askLong(
      this, kChannel,
      [with, other = std::move(other)](const engine::Snapshot& open, engine::ProgressSink* progress,
                                       std::stop_token stop) {
        return compareDumps(open, with, other, progress, stop);
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"%1 cannot be compared with"_s.arg(m_with->name()),
                            fromEngine(answer.error().error().message()));
      });
}

void ComparePlace::stop() {
  m_bridge.stopAsking(this, kChannel);
  invite();
}

void ComparePlace::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty()
                           ? u"Comparing with %1"_s.arg(m_with->name())
                           : u"%1: %2, %3"_s.arg(m_with->name(), fromEngine(progress.activity), percent));
  m_state->setAction(u"Stop"_s, [this] { stop(); });
}

void ComparePlace::take(std::shared_ptr<const ComparedDumps> compared) {
  m_body->clear();
  release();
  m_compared = std::move(compared);
  m_head->showResult(*m_compared, *m_with);
  m_body->show(m_compared);
  m_pages->setCurrentWidget(m_body);
}

// A second dump is as large as the first: it is let go on the engine thread.
void ComparePlace::release() {
  if (!m_compared) return;
  m_bridge.compute(
      this, kReleaseChannel, [held = std::exchange(m_compared, nullptr)](std::stop_token) { return held.use_count(); },
      [](long) {});
}

// Only their figures are kept, so that no other dump has to stay open.
void ComparePlace::putInRow(const QStringList& paths) {
  m_bridge.stopAsking(this, kChannel);
  m_body->clear();
  release();
  m_head->showNoResult();
  m_head->hide();
  m_film->add(QStringList(paths) << m_bridge.path());
  m_pages->setCurrentWidget(m_film);
}

void ComparePlace::endRow() {
  m_film->clear();
  m_head->show();
  if (m_isReady) invite();
}

void ComparePlace::takeFiles(const QStringList& paths) {
  if (!m_isReady || paths.isEmpty()) return;
  if (!m_film->isEmpty()) {
    m_film->add(paths);
    return;
  }
  QStringList others = paths;
  others.removeAll(m_bridge.path());
  others.removeDuplicates();
  if (others.size() > 1) {
    putInRow(others);
    return;
  }
  if (others.size() == 1) compareWith(others.front());
}

void ComparePlace::dragEnterEvent(QDragEnterEvent* event) {
  if (m_isReady && !draggedFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ComparePlace::dropEvent(QDropEvent* event) {
  const QStringList paths = draggedFiles(*event->mimeData());
  if (!m_isReady || paths.isEmpty()) return;
  event->acceptProposedAction();
  takeFiles(paths);
}

}  // namespace heapscape::gui
