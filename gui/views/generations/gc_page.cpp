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
      m_collections(new FigureTile(u"Collections"_s, this)),
      m_last(new FigureTile(u"Last collection"_s, this)),
      m_free(new FigureTile(u"Fragmentation"_s, this)),
      m_pinned(new FigureTile(u"Pinned objects"_s, this)),
      m_finalizers(new FigureTile(u"Finalizers due"_s, this)),
      m_sentences(makeNote({}, this)),
      m_tabs(new QTabWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_collections->setObjectName(u"gcCollections"_s);
  m_last->setObjectName(u"gcLast"_s);
  m_free->setObjectName(u"gcFree"_s);
  m_pinned->setObjectName(u"gcPinned"_s);
  m_finalizers->setObjectName(u"gcFinalizers"_s);
  m_sentences->setObjectName(u"gcSentences"_s);
  m_tabs->setObjectName(u"gcTabs"_s);
  m_tabs->setDocumentMode(true);
  addList(u"gcSettings"_s, u"Settings"_s, u"settings"_s, u"No settings"_s, {}, gcSettingRows, false);
  addList(u"gcGenerations"_s, u"Generations"_s, u"generations"_s, u"No generations"_s, u"The heap has no segments."_s,
          gcGenerationRows, true);
  addList(u"gcGaps"_s, u"Behind free objects"_s, u"types"_s, u"No free objects"_s,
          u"No object stands behind a free object: the heap is as dense as can be."_s, gcGapRows, true);
  addList(u"gcPins"_s, u"Pins"_s, u"pins"_s, u"Nothing is pinned"_s, u"No handle and no stack pins an object."_s,
          gcPinRows, true);
  addList(u"gcRecords"_s, u"Records"_s, u"collections"_s, u"No records"_s,
          u"There was no collection yet, or its record was not found in the GC's data."_s, gcCollectionRows, false);
  addList(u"gcFinalizerTypes"_s, u"Finalizers due"_s, u"types"_s, u"No finalizer is due"_s,
          u"The finalizer thread has nothing to do."_s, gcFinalizerRows, true);
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
  setup.filterHint = u"Filter"_s;
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = rowsOf(nullptr)->columns();
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  m_tabs->addTab(panel, title);
  m_lists.push_back({panel, title, rowsOf, isOfHeap});
}

void GcPage::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Objects) || lacksHeap(snapshot);
  if (!m_isReady) m_state->showLoading(u"Walking the heap…"_s);
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
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its garbage collector was doing."_s);
  m_pages->setCurrentWidget(m_state);
}

void GcPage::ask() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_state->showLoading(u"Looking at free objects, pins and the GC's own figures"_s);
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
        m_state->showFailed(u"What the GC was doing is not known"_s, fromEngine(answer.error().error().message()));
        m_state->setAction(u"Try again"_s, [this] { ask(); });
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
    m_tabs->setTabText(m_tabs->indexOf(list.panel), u"%1  %2"_s.arg(list.title, countText(rows->size())));
    list.panel->setRows(std::move(rows));
  }
  showFigures(*report);
  showSentences(*report);
  m_pages->setCurrentIndex(1);
}

void GcPage::showFigures(const engine::GcReport& report) {
  const std::vector<std::uint64_t> counts = report.collectionCounts();
  if (counts.empty()) {
    m_collections->setFigure(u"—"_s, u"not known"_s,
                             u"The GC's counters were not found in its data, or in more than one place."_s);
  } else {
    // Each count has those of older generations in it.
    m_collections->setFigure(countText(counts[0]),
                             u"%1 of gen1, %2 of gen2"_s.arg(countText(counts[1]), countText(counts[2])),
                             u"As GC.CollectionCount has it: collections of gen1 took gen0 as well, those of gen2 "
                             "all."_s);
  }
  if (const auto& plan = report.figures.plan) {
    m_last->setFigure(u"gen%1"_s.arg(plan->generation), u"number %1"_s.arg(plan->index),
                      fromEngine(engine::collectionReason(plan->reason)));
  } else if (!report.figures.recorded.empty()) {
    const engine::RecordedCollection& last = report.figures.recorded.front();
    m_last->setFigure(u"gen%1"_s.arg(last.generation), u"number %1"_s.arg(last.index));
  } else {
    m_last->setFigure(u"—"_s, u"not known"_s);
  }
  if (!report.hasHeap) {
    for (FigureTile* tile : {m_free, m_pinned, m_finalizers}) tile->setFigure(u"—"_s, u"no heap in this dump"_s);
    return;
  }
  std::uint64_t bytes = 0, freeBytes = 0, gaps = 0;
  for (const engine::GenerationGaps& generation : report.gaps) {
    bytes += generation.bytes;
    freeBytes += generation.freeBytes;
    gaps += generation.gaps;
  }
  m_free->setFigure(percentText(freeBytes, bytes),
                    u"%1 in %2 free objects"_s.arg(bytesText(freeBytes), countText(gaps)),
                    u"%1 of %2"_s.arg(exactBytesText(freeBytes), exactBytesText(bytes)));
  std::uint64_t pinned = 0;
  for (const engine::PinGroup& group : report.pins) pinned += group.bytes;
  m_pinned->setFigure(countText(report.pinnedObjects), bytesText(pinned), exactBytesText(pinned));
  m_finalizers->setFigure(countText(report.finalizers.ready),
                          u"%1 registered"_s.arg(countText(report.finalizers.registered)),
                          exactBytesText(report.finalizers.readyBytes));
}

void GcPage::showSentences(const engine::GcReport& report) {
  QStringList phase;
  if (report.phase != engine::CollectionPhase::None) phase << fromEngine(report.phaseText);
  if (!report.trustText.empty()) phase << fromEngine(report.trustText);
  for (const engine::GenerationCoverage& coverage : report.coverageByGeneration) {
    if (coverage.unreadBytes == 0) continue;
    phase << u"%1 of %2 could be read."_s.arg(
        percentText(coverage.bytes - std::min(coverage.unreadBytes, coverage.bytes), coverage.bytes),
        generationText(coverage.generation));
  }
  m_phase->setText(phase.join(QLatin1Char(' ')));
  QStringList lines;
  const auto& failures = report.history.outOfMemory;
  for (std::size_t i = 0; i < std::min(failures.size(), kShownFailures); ++i)
    lines << u"⚠ "_s + fromEngine(engine::describe(failures[i]));
  if (failures.size() > kShownFailures)
    lines << u"%1 more heaps ran out of memory."_s.arg(countText(failures.size() - kShownFailures));
  if (failures.empty()) lines << u"The GC has noted no allocation that failed for want of memory."_s;
  if (const auto& plan = report.figures.plan)
    lines << u"Why the last collection began: %1."_s.arg(fromEngine(engine::collectionReason(plan->reason)));
  m_sentences->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace heapscape::gui
