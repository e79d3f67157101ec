// SPDX-License-Identifier: MIT
#include "views/layouts/waste/waste_view.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "models/rows/rows_panel.h"
#include "views/layouts/waste/waste_rows.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// The heap's padding and what could be saved of it, in large figures.
class WasteHead : public QWidget {
 public:
  explicit WasteHead(QWidget* parent = nullptr);

  void show(const engine::Waste& waste);

 private:
  FigureTile* m_padding;
  FigureTile* m_saving;
  FigureTile* m_ends;
  ElidedText* m_note;
};

WasteHead::WasteHead(QWidget* parent)
    : QWidget(parent),
      m_padding(new FigureTile(QStringLiteral("Padding of the heap"), this)),
      m_saving(new FigureTile(QStringLiteral("Best declarations save"), this)),
      m_ends(new FigureTile(QStringLiteral("Behind arrays and strings"), this)),
      m_note(new ElidedText(this)) {
  m_padding->setObjectName(QStringLiteral("wastePadding"));
  m_saving->setObjectName(QStringLiteral("wasteSaving"));
  m_note->setObjectName(QStringLiteral("wasteNote"));
  m_note->setWarning(true);
  m_note->setWraps();
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_padding, m_saving, m_ends}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_note);
}

void WasteHead::show(const engine::Waste& waste) {
  const QString whole = bytesText(waste.heapBytes);
  QString share = QStringLiteral("%1 of %2 in objects").arg(percentText(waste.paddingBytes, waste.heapBytes), whole);
  QString tip = QStringLiteral("%1 between and behind fields, of which %2 lie behind boxed values")
                    .arg(exactBytesText(waste.paddingBytes), exactBytesText(waste.roundingBytes));
  if (waste.separatedBytes > 0) {
    share += QStringLiteral(", %1 of it on purpose").arg(bytesText(waste.separatedBytes));
    tip += QLatin1Char('\n') + QStringLiteral("%1 are in types that are separated on purpose, for processors' caches.")
                                   .arg(exactBytesText(waste.separatedBytes));
  }
  m_padding->setFigure(bytesText(waste.paddingBytes), share, tip);
  const bool isSaving = waste.savedByAllBest > 0;
  const auto saved = static_cast<std::uint64_t>(isSaving ? waste.savedByAllBest : 0);
  m_saving->setFigure(savedBytesText(waste.savedByAllBest),
                      QStringLiteral("%1 of %2 in objects").arg(percentText(saved, waste.heapBytes), whole),
                      QStringLiteral("%1 less, with every type that is not the framework's in its best declaration")
                          .arg(exactBytesText(saved)));
  m_ends->setFigure(
      bytesText(waste.arrayEndBytes), QStringLiteral("rounding: no declaration wins it back"),
      QStringLiteral("%1 behind the last element of arrays and the last character of strings, not counted as padding")
          .arg(exactBytesText(waste.arrayEndBytes)));
  m_note->setVisible(waste.typesNotComputed > 0);
  m_note->setText(QStringLiteral("⚠ ") +
                  QStringLiteral("Not counted in the savings: %1 whose metadata the dump does not hold.")
                      .arg(countedText(waste.typesNotComputed, QStringLiteral("type"))));
}

namespace {

constexpr auto kChannel = "waste";

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("wasteTypes");
  setup.title = QStringLiteral("Types by what another declaration would save");
  setup.noun = QStringLiteral("types");
  setup.filterHint = QStringLiteral("Filter by type or assembly");
  setup.emptyHeading = QStringLiteral("Nothing is wasted");
  setup.emptyText = QStringLiteral("No type on this heap has padding, and none would be smaller in another order.");
  setup.columns = wasteSchema({}).setups();
  setup.kinds = {static_cast<std::size_t>(WasteKind::Own)};
  return setup;
}

RowsPanelSetup groupsSetup(engine::WasteGrouping grouping) {
  const bool isNamespace = grouping == engine::WasteGrouping::Namespace;
  RowsPanelSetup setup;
  setup.name = isNamespace ? QStringLiteral("wasteNamespaces") : QStringLiteral("wasteAssemblies");
  setup.title = isNamespace ? QStringLiteral("Waste by namespace") : QStringLiteral("Waste by assembly");
  setup.noun = isNamespace ? QStringLiteral("namespaces") : QStringLiteral("assemblies");
  setup.one = isNamespace ? QStringLiteral("namespace") : QStringLiteral("assembly");
  setup.filterHint = QStringLiteral("Filter by name");
  setup.emptyHeading = QStringLiteral("Nothing is wasted");
  setup.emptyText = QStringLiteral("No type on this heap has padding.");
  setup.columns = wasteGroupSchema(grouping).setups();
  return setup;
}

}  // namespace

WasteView::WasteView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_head(new WasteHead(this)),
      m_groupings(
          new ChoiceBar(QStringLiteral("wasteGrouping"),
                        {QStringLiteral("Types"), QStringLiteral("Namespaces"), QStringLiteral("Assemblies")},
                        {QStringLiteral("Each type for itself"), QStringLiteral("Types of a namespace added up"),
                         QStringLiteral("Types of an assembly added up")},
                        this)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_nameSpaces(buildGroups(engine::WasteGrouping::Namespace)),
      m_assemblies(buildGroups(engine::WasteGrouping::Assembly)),
      m_state(new StatePanel(this)),
      m_lists(new QStackedLayout),
      m_pages(new QStackedLayout(this)) {
  m_pages->addWidget(m_state);
  m_pages->addWidget(buildPage());
  m_types->setActivation([this](const RowLink& link) { m_navigator.showLayoutOf(link.methodTable); });
  connect(m_groupings, &ChoiceBar::chosen, m_lists, &QStackedLayout::setCurrentIndex);
  clear();
}

QWidget* WasteView::buildPage() {
  auto* page = new QWidget(this);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 0, 12, 0);
  line->addWidget(m_groupings);
  line->addStretch(1);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(line);
  column->addLayout(m_lists, 1);
  for (RowsPanel* list : {m_types, m_nameSpaces, m_assemblies}) m_lists->addWidget(list);
  return page;
}

RowsPanel* WasteView::buildGroups(engine::WasteGrouping grouping) {
  auto* panel = new RowsPanel(m_bridge, m_navigator, groupsSetup(grouping), {}, this);
  connect(panel, &RowsPanel::rowActivated, this,
          [this, panel](std::uint32_t row) { showTypesOf(panel->rows()->plain(row, 0)); });
  return panel;
}

void WasteView::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Layouts);
  if (m_isReady && isVisible() && !m_isBegun) measure();
}

void WasteView::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_isReady = false;
  m_isBegun = false;
  m_groupings->choose(0);
  for (RowsPanel* list : {m_types, m_nameSpaces, m_assemblies}) list->clear();
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see what layouts cost its heap."));
  m_pages->setCurrentWidget(m_state);
}

void WasteView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isReady && !m_isBegun) measure();
}

void WasteView::measure() {
  m_isBegun = true;
  showProgress({});
  m_pages->setCurrentWidget(m_state);
  using Answer = engine::Outcome<std::shared_ptr<WasteTables>>;
  m_bridge.askLong(
      this, kChannel,
      [snapshot = *m_bridge.snapshot()](const engine::DeclaredLayouts& layouts, engine::ProgressSink* progress,
                                        std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(engine::Waste waste, engine::wasteOf(snapshot, layouts, progress, stop));
        return std::make_shared<WasteTables>(wasteTables(std::move(waste)));
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](Answer answer) {
        if (answer) return take(std::move(**answer));
        if (answer.error().isCancelled()) return;
        m_state->showFailed(QStringLiteral("The waste could not be measured"),
                            fromEngine(answer.error().error().message()));
        m_state->setAction(QStringLiteral("Try again"), [this] { measure(); });
      });
}

void WasteView::stop() {
  m_bridge.stopAsking(this, kChannel);
  m_state->showEmpty(QStringLiteral("Not measured"),
                     QStringLiteral("Measuring what the layouts cost this heap was stopped."));
  m_state->setAction(QStringLiteral("Measure it now"), [this] { measure(); });
}

void WasteView::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty()
                           ? QStringLiteral("Measuring what the layouts cost this heap")
                           : QStringLiteral("%1, %2").arg(fromEngine(progress.activity), percent));
  m_state->setAction(QStringLiteral("Stop"), [this] { stop(); });
}

void WasteView::take(WasteTables tables) {
  m_head->show(tables.waste);
  m_types->setRows(std::move(tables.types));
  m_nameSpaces->setRows(std::move(tables.nameSpaces));
  m_assemblies->setRows(std::move(tables.assemblies));
  m_pages->setCurrentIndex(1);
}

void WasteView::showTypesOf(const QString& group) {
  m_groupings->choose(0);
  m_types->setFilter(group);
}

}  // namespace heapscape::gui
