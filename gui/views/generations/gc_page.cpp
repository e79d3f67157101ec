// SPDX-License-Identifier: MIT
#include "views/generations/gc_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/banner.h"
#include "widgets/figure_tile.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "gc";
constexpr std::size_t kShownFailures = 3;  // of heaps that ran out of memory

}  // namespace

GcPage::GcPage(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_phase(new Banner(this)),
      m_collections(new FigureTile(QStringLiteral("Collections"), this)),
      m_last(new FigureTile(QStringLiteral("Last collection"), this)),
      m_free(new FigureTile(QStringLiteral("Fragmentation"), this)),
      m_pinned(new FigureTile(QStringLiteral("Pinned objects"), this)),
      m_finalizers(new FigureTile(QStringLiteral("Finalizers due"), this)),
      m_sentences(makeNote({}, this)),
      m_tabs(new QTabWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_collections->setObjectName(QStringLiteral("gcCollections"));
  m_last->setObjectName(QStringLiteral("gcLast"));
  m_free->setObjectName(QStringLiteral("gcFree"));
  m_pinned->setObjectName(QStringLiteral("gcPinned"));
  m_finalizers->setObjectName(QStringLiteral("gcFinalizers"));
  m_sentences->setObjectName(QStringLiteral("gcSentences"));
  m_tabs->setObjectName(QStringLiteral("gcTabs"));
  m_tabs->setDocumentMode(true);
  addList(QStringLiteral("gcSettings"), QStringLiteral("Settings"), QStringLiteral("settings"),
          QStringLiteral("No settings"), {}, gcSettingRows, false);
  addList(QStringLiteral("gcGenerations"), QStringLiteral("Generations"), QStringLiteral("generations"),
          QStringLiteral("No generations"), QStringLiteral("The heap has no segments."), gcGenerationRows, true);
  addList(QStringLiteral("gcGaps"), QStringLiteral("Between gaps"), QStringLiteral("types"), QStringLiteral("No gaps"),
          QStringLiteral("No object stands behind a gap: the heap is as dense as can be."), gcGapRows, true);
  addList(QStringLiteral("gcPins"), QStringLiteral("Pins"), QStringLiteral("pins"), QStringLiteral("Nothing is pinned"),
          QStringLiteral("No handle and no stack pins an object."), gcPinRows, true);
  addList(QStringLiteral("gcRecords"), QStringLiteral("Records"), QStringLiteral("collections"),
          QStringLiteral("No records"),
          QStringLiteral("There was no collection yet, or its record was not found in the GC's data."),
          gcCollectionRows, false);
  addList(QStringLiteral("gcFinalizerTypes"), QStringLiteral("Finalizers due"), QStringLiteral("types"),
          QStringLiteral("No finalizer is due"), QStringLiteral("The finalizer thread has nothing to do."),
          gcFinalizerRows, true);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_phase);
  column->addWidget(makeHead());
  column->addWidget(m_tabs, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(page);
  clear();
}

QWidget* GcPage::makeHead() {
  auto* head = new QWidget(this);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_collections, m_last, m_free, m_pinned, m_finalizers}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(16, 12, 16, 6);
  column->setSpacing(6);
  column->addLayout(tiles);
  m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(m_sentences);
  return head;
}

void GcPage::addList(const QString& name, const QString& title, const QString& noun, const QString& emptyHeading,
                     const QString& emptyText, std::shared_ptr<const RowList> (*rowsOf)(const SharedGcReport&),
                     bool isOfHeap) {
  RowsPanelSetup setup;
  setup.name = name;
  setup.title = title;
  setup.noun = noun;
  setup.filterHint = QStringLiteral("Filter");
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = rowsOf(nullptr)->columns();
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  m_tabs->addTab(panel, title);
  m_lists.push_back({panel, title, rowsOf, isOfHeap});
}

void GcPage::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Objects) || lacksHeap(snapshot);
  if (!m_isReady) m_state->showLoading(QStringLiteral("Walking the heap…"));
  if (m_isReady && isVisible()) ask();
}

void GcPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isReady) ask();
}

void GcPage::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_isReady = m_isAsked = false;
  for (const List& list : m_lists) {
    list.panel->clear();
    m_tabs->setTabText(m_tabs->indexOf(list.panel), list.title);
  }
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see what its garbage collector was doing."));
  m_pages->setCurrentWidget(m_state);
}

void GcPage::ask() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_state->showLoading(QStringLiteral("Looking at gaps, pins and the GC's own figures"));
  using Answer = engine::Outcome<SharedGcReport>;
  m_bridge.ask(
      this, kChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(engine::GcReport report, engine::readGcReport(snapshot, std::move(stop)));
        return std::make_shared<const engine::GcReport>(std::move(report));
      },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        m_isAsked = false;
        if (answer.error().isCancelled()) return;
        m_state->showFailed(QStringLiteral("What the GC was doing cannot be told"),
                            fromEngine(answer.error().error().message()));
        m_state->setAction(QStringLiteral("Try again"), [this] { ask(); });
        m_pages->setCurrentWidget(m_state);
      });
}

void GcPage::take(SharedGcReport report) {
  for (const List& list : m_lists) {
    auto rows = list.rowsOf(report);
    if (list.isOfHeap && !report->hasHeap) {
      list.panel->showLacking();
      continue;
    }
    m_tabs->setTabText(m_tabs->indexOf(list.panel), QStringLiteral("%1  %2").arg(list.title, countText(rows->size())));
    list.panel->setRows(std::move(rows));
  }
  showFigures(*report);
  showSentences(*report);
  m_pages->setCurrentIndex(1);
}

void GcPage::showFigures(const engine::GcReport& report) {
  const std::vector<std::uint64_t> counts = report.collectionCounts();
  if (counts.empty()) {
    m_collections->setFigure(
        QStringLiteral("—"), QStringLiteral("not known"),
        QStringLiteral("The GC's counters were not found in its data, or in more than one place."));
  } else {
    // Each count has those of older generations in it.
    m_collections->setFigure(
        countText(counts[0]), QStringLiteral("%1 of gen1, %2 of gen2").arg(countText(counts[1]), countText(counts[2])),
        QStringLiteral("As GC.CollectionCount has it: collections of gen1 took gen0 as well, those of gen2 "
                       "all."));
  }
  if (const auto& plan = report.figures.plan) {
    m_last->setFigure(QStringLiteral("gen%1").arg(plan->generation), QStringLiteral("number %1").arg(plan->index),
                      fromEngine(engine::collectionReason(plan->reason)));
  } else if (!report.figures.recorded.empty()) {
    const engine::RecordedCollection& last = report.figures.recorded.front();
    m_last->setFigure(QStringLiteral("gen%1").arg(last.generation), QStringLiteral("number %1").arg(last.index));
  } else {
    m_last->setFigure(QStringLiteral("—"), QStringLiteral("not known"));
  }
  if (!report.hasHeap) {
    for (FigureTile* tile : {m_free, m_pinned, m_finalizers})
      tile->setFigure(QStringLiteral("—"), QStringLiteral("no heap in this dump"));
    return;
  }
  std::uint64_t bytes = 0, freeBytes = 0, gaps = 0;
  for (const engine::GenerationGaps& generation : report.gaps) {
    bytes += generation.bytes;
    freeBytes += generation.freeBytes;
    gaps += generation.gaps;
  }
  m_free->setFigure(percentText(freeBytes, bytes),
                    QStringLiteral("%1 in %2 gaps").arg(bytesText(freeBytes), countText(gaps)),
                    QStringLiteral("%1 of %2").arg(exactBytesText(freeBytes), exactBytesText(bytes)));
  std::uint64_t pinned = 0;
  for (const engine::PinGroup& group : report.pins) pinned += group.bytes;
  m_pinned->setFigure(countText(report.pinnedObjects), bytesText(pinned), exactBytesText(pinned));
  m_finalizers->setFigure(countText(report.finalizers.ready),
                          QStringLiteral("%1 registered").arg(countText(report.finalizers.registered)),
                          exactBytesText(report.finalizers.readyBytes));
}

void GcPage::showSentences(const engine::GcReport& report) {
  QStringList phase;
  if (report.phase != engine::CollectionPhase::None) phase << fromEngine(report.phaseText);
  if (!report.trustText.empty()) phase << fromEngine(report.trustText);
  for (const engine::GenerationCoverage& coverage : report.coverageByGeneration) {
    if (coverage.unreadBytes == 0) continue;
    phase << QStringLiteral("%1 of %2 could be read.")
                 .arg(percentText(coverage.bytes - std::min(coverage.unreadBytes, coverage.bytes), coverage.bytes),
                      generationText(coverage.generation));
  }
  m_phase->setText(phase.join(QLatin1Char(' ')));
  QStringList lines;
  const auto& failures = report.history.outOfMemory;
  for (std::size_t i = 0; i < std::min(failures.size(), kShownFailures); ++i)
    lines << QStringLiteral("⚠ ") + fromEngine(engine::describe(failures[i]));
  if (failures.size() > kShownFailures)
    lines << QStringLiteral("%1 more heaps ran out of memory.").arg(countText(failures.size() - kShownFailures));
  if (failures.empty()) lines << QStringLiteral("The GC has noted no allocation that failed for want of memory.");
  if (const auto& plan = report.figures.plan)
    lines
        << QStringLiteral("Why the last collection began: %1.").arg(fromEngine(engine::collectionReason(plan->reason)));
  m_sentences->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace heapscape::gui
