// SPDX-License-Identifier: MIT
#include "views/overview/heap_head.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <numeric>

#include "models/names/reach_text.h"
#include "models/retained_offer.h"
#include "session/heap/generation_space.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/colours.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr double kSentenceSize = 1.6;
constexpr double kBarThickness = 1.5;  // lines of text
constexpr double kLeastPart = 4;       // pixels: wide enough for a line of the hatch
constexpr auto kCollectionsChannel = "overview.collections";

RowFigure figureOfPart(const QString& text, const QString& room) {
  return {.text = text, .room = room};
}

BarLine lineOfPart(const QString& name, std::uint64_t bytes, std::uint64_t whole, const QString& tip) {
  BarLine line{.form = RowForm::Sample};
  line.text = name;
  line.figures = {figureOfPart(whole ? percentText(bytes, whole) : u"…"_s, u"88.8%"_s),
                  figureOfPart(whole ? bytesText(bytes) : u"…"_s, u"888 MB"_s)};
  line.isSampleOutlined = true;
  line.tip = tip;
  line.spoken = u"%1: %2"_s.arg(name, bytesText(bytes));
  return line;
}

HeapParts partsOf(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects)) return {};
  const HeapFigures figures = heapFigures(snapshot.totals());
  if (!snapshot.has(engine::Stage::Retained)) return {.live = figures.bytes, .free = figures.freeBytes};
  const engine::RetainedTotals totals = snapshot.retainedTotals();
  return {.live = totals.reachableBytes,
          .frozen = totals.frozenBytes,
          .garbage = totals.garbageBytes(),
          .free = figures.freeBytes,
          .isReachKnown = true};
}

}  // namespace

HeapBarParts heapBarParts(const HeapParts& parts, const QRectF& bar) {
  const std::uint64_t whole = parts.whole();
  const auto width = [&](std::uint64_t bytes) {
    if (bytes == 0) return 0.0;
    const double wide = static_cast<double>(bytes) / static_cast<double>(whole) * bar.width();
    return std::max(std::min(kLeastPart, bar.width() / 4), wide);
  };
  // The largest gives what the small ones need to be seen.
  std::array<double, 4> widths{width(parts.live), width(parts.frozen), width(parts.garbage), width(parts.free)};
  double& largest = *std::ranges::max_element(widths);
  largest -= std::accumulate(widths.begin(), widths.end(), 0.0) - (whole ? bar.width() : 0);
  std::array<QRectF, 4> rooms;
  double left = bar.left();
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    rooms[i] = QRectF(left, bar.top(), widths[i], bar.height());
    left += widths[i];
  }
  return {.live = rooms[0], .frozen = rooms[1], .garbage = rooms[2], .free = rooms[3]};
}

HeapBar::HeapBar(QWidget* parent) : QWidget(parent) {
  setObjectName(u"heapBar"_s);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeapBar::setParts(const HeapParts& parts) {
  m_parts = parts;
  QStringList lines;
  if (parts.isReachKnown) {
    lines << u"live: %1"_s.arg(exactBytesText(parts.live));
    if (parts.frozen) lines << u"frozen, unreferenced: %1"_s.arg(exactBytesText(parts.frozen));
    lines << u"garbage: %1"_s.arg(exactBytesText(parts.garbage));
  } else
    lines << u"in objects: %1"_s.arg(exactBytesText(parts.live));
  lines << u"free: %1"_s.arg(exactBytesText(parts.free));
  setToolTip(parts.whole() ? lines.join(QLatin1Char('\n')) : QString());
  setAccessibleName(lines.join(u", "_s));
  update();
}

QSize HeapBar::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 36, qRound(fontMetrics().height() * kBarThickness)};
}

void HeapBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  const QRectF bar = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  if (m_parts.whole() == 0) {
    painter.setPen(QPen(colours.outline(), 1, Qt::DashLine));
    painter.drawRect(bar);
    return;
  }
  const HeapBarParts parts = heapBarParts(m_parts, bar);
  painter.fillRect(parts.live, m_parts.isReachKnown ? colours.live() : colours.heatStep(1));
  painter.fillRect(parts.frozen, colours.of(engine::Generation::Frozen));
  painter.fillRect(parts.garbage, colours.garbageBrush(colours.live()));
  painter.fillRect(parts.free, colours.freeSpaceBrush());
  painter.setPen(QPen(colours.outline(), 1));
  painter.drawRect(bar);
}

HeapHead::HeapHead(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_sentence(makeHeading(QString(), this, kSentenceSize)),
      m_bar(new HeapBar(this)),
      m_rows(new FlowLayout(nullptr, 8)) {
  setObjectName(u"heapHead"_s);
  m_sentence->setObjectName(u"heapSentence"_s);
  m_sentence->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(m_sentence);
  column->addWidget(m_bar);
  column->addLayout(m_rows);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &HeapHead::showSentence);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &HeapHead::showSentence);
  clear();
}

void HeapHead::clear() {
  m_bridge.stopAsking(this, kCollectionsChannel);
  m_isAsked = false;
  m_collections.clear();
  m_bar->setParts({});
  showSentence();
  showRows();
}

void HeapHead::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects)) return;
  const HeapParts parts = partsOf(snapshot);
  const bool isNew = parts != m_bar->parts();
  m_bar->setParts(parts);
  showSentence();
  if (isNew) showRows();
  if (!snapshot.isRecorded()) askForCollections();
}

void HeapHead::askForCollections() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_bridge.ask(
      this, kCollectionsChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::readGenerationReport(snapshot, std::move(stop));
      },
      [this](const engine::Outcome<engine::GenerationReport>& report) {
        if (!report) return;
        m_collections = report->collections;
        showSentence();
      });
}

void HeapHead::showSentence() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) {
    m_sentence->setText(u"Walking the objects"_s);
  } else if (snapshot->has(engine::Stage::Retained)) {
    m_sentence->setText(reachSentence(snapshot->retainedTotals(), m_collections, m_bar->parts().free));
  } else {
    m_sentence->setText(
        u"%1 in objects. %2"_s.arg(bytesText(heapFigures(snapshot->totals()).bytes), retainedStateText(m_bridge)));
  }
}

void HeapHead::showRows() {
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  const HeapParts& parts = m_bar->parts();
  const auto add = [this](BarLine line, const QString& name, auto sample, auto lead) {
    line.sample = sample;
    auto* row = new BarRow(std::move(line), this);
    row->setObjectName(name);
    connect(row, &QAbstractButton::clicked, this, lead);
    m_rows->addWidget(row);
  };
  // Before it is known which are garbage, objects have the place that the live ones will have.
  const std::uint64_t known = parts.isReachKnown ? parts.whole() : 0;
  const auto& snapshot = m_bridge.snapshot();
  const engine::RetainedTotals totals = snapshot ? snapshot->retainedTotals() : engine::RetainedTotals{};
  add(
      lineOfPart(
          u"live"_s, parts.live, known,
          u"%1 that roots lead to. Click: who holds them"_s.arg(countedText(totals.reachableObjects, u"object"_s))),
      u"heapLive"_s, [](const Colours& colours) { return QBrush(colours.live()); },
      [this] { m_navigator.showReferences(ReferencesPage::Dominators); });
  // Its room is kept until it is known.
  const bool mayCome = !parts.isReachKnown && !(snapshot && snapshot->isRecorded());
  if (parts.frozen > 0 || mayCome)
    add(
        lineOfPart(u"unreferenced"_s, parts.frozen, known,
                   frozenText(totals) + u"\nClick: the frozen objects, by type"_s),
        u"heapFrozen"_s, [](const Colours& colours) { return QBrush(colours.of(engine::Generation::Frozen)); },
        [this] {
          engine::HeapScope scope;
          scope.generation = engine::Generation::Frozen;
          m_navigator.showTypesIn(scope);
        });
  add(
      lineOfPart(u"garbage"_s, parts.garbage, known, garbageTip(totals)), u"heapGarbage"_s,
      [](const Colours& colours) { return colours.garbageBrush(colours.live()); },
      [this] { m_navigator.showGarbage(); });
  if (snapshot && snapshot->isRecorded()) return;
  add(
      lineOfPart(u"free"_s, parts.free, parts.whole(), u"Free between objects. Click: free space by generation"_s),
      u"heapFree"_s, [](const Colours& colours) { return colours.freeSpaceBrush(); },
      [this] { m_navigator.goTo(PlaceId::Generations); });
}

}  // namespace heapscape::gui
