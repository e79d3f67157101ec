// SPDX-License-Identifier: MIT
#include "views/insights/insights_place.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>

#include "models/names/insight_text.h"
#include "models/names/reach_text.h"
#include "models/retained_offer.h"
#include "views/insights/insight_detail.h"
#include "views/insights/insights_list.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

/// Large figures of what all insights together come to.
class InsightsHead : public QWidget {
  Q_OBJECT

 public:
  explicit InsightsHead(QWidget* parent = nullptr);

  void show(const FoundInsights& found);

 Q_SIGNALS:
  void lookWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  FigureTile* m_waste;
  FigureTile* m_leaks;
  FigureTile* m_count;
  FigureTile* m_garbage;
  QPushButton* m_again;
  ElidedText* m_note;
};

namespace {

constexpr int kLettersForWords = 100;  // width from which the button says what it does

QString againText() {
  return u"Scan again"_s;
}

}  // namespace

InsightsHead::InsightsHead(QWidget* parent)
    : QWidget(parent),
      m_waste(new FigureTile(u"Waste"_s, this)),
      m_leaks(new FigureTile(u"Leaks"_s, this)),
      m_count(new FigureTile(u"Insights"_s, this)),
      m_garbage(new FigureTile(u"Garbage"_s, this)),
      m_again(new QPushButton(symbolIcon(u"insights"_s), againText(), this)),
      m_note(new ElidedText(this)) {
  m_waste->setObjectName(u"insightsWaste"_s);
  m_leaks->setObjectName(u"insightsLeaks"_s);
  m_count->setObjectName(u"insightsTotal"_s);
  m_garbage->setObjectName(u"insightsGarbage"_s);
  m_again->setObjectName(u"insightsAgain"_s);
  m_again->setAccessibleName(againText());
  m_again->setToolTip(u"Scan again for waste and leaks, from the beginning"_s);
  m_note->setObjectName(u"insightsNote"_s);
  m_note->setWraps();
  m_note->setWarning(true);
  connect(m_again, &QPushButton::clicked, this, &InsightsHead::lookWanted);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_waste, m_leaks, m_count, m_garbage}) tiles->addWidget(tile);
  auto* line = new QHBoxLayout;
  line->setSpacing(24);
  line->addLayout(tiles, 1);
  line->addWidget(m_again, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(line);
  column->addWidget(m_note);
}

void InsightsHead::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_again->setText(width() < kLettersForWords * fontMetrics().averageCharWidth() ? QString() : againText());
}

void InsightsHead::show(const FoundInsights& found) {
  const engine::InsightList& list = found.list;
  const auto shareOf = [&found](std::uint64_t bytes) {
    return u"%1 of %2 on the heap"_s.arg(percentText(bytes, found.heapBytes), bytesText(found.heapBytes));
  };
  QString ofFramework;
  if (list.frameworkBytes > 0) {
    ofFramework = QLatin1Char('\n') + u"Of waste and leaks together, %1 are held by the framework alone."_s.arg(
                                          exactBytesText(list.frameworkBytes));
  }
  std::uint64_t wasteOfFramework = 0;
  for (const engine::Insight& insight : list.insights)
    if (insight.isFramework && insight.meaning == engine::InsightMeaning::Waste) wasteOfFramework += ownBytes(insight);
  m_waste->setFigure(
      bytesText(list.wasteBytes),
      wasteOfFramework == 0 ? shareOf(list.wasteBytes)
                            : u"%1, %2 of it .NET's own"_s.arg(shareOf(list.wasteBytes), bytesText(wasteOfFramework)),
      u"%1 could be saved, no byte is counted twice"_s.arg(exactBytesText(list.wasteBytes)) + ofFramework);
  m_leaks->setFigure(
      bytesText(list.leakBytes), leaksNote(list, found.reach.reachableBytes),
      u"%1 are held and probably should not be, each byte counted once and none that is wasted, too"_s.arg(
          exactBytesText(list.leakBytes)) +
          ofFramework);
  m_count->setFigure(countText(list.insights.size()),
                     list.smallInsights == 0
                         ? u"nothing was left out"_s
                         : u"and %1 small ones, %2"_s.arg(countText(list.smallInsights), bytesText(list.smallBytes)),
                     list.smallInsights == 0 ? QString()
                                             : u"Too small to be listed: %1 in no other figure here"_s.arg(
                                                   exactBytesText(list.smallBytes)));
  m_garbage->setFigure(bytesText(found.reach.garbageBytes()), u"not collected yet, in no insight but leaks"_s,
                       garbageTip(found.reach).section(QLatin1Char('.'), 0, 0));
  const std::size_t findings = list.findings.items().size() + list.findings.leftOut();
  m_note->setVisible(findings > 0);
  if (findings == 0) return;
  const QString first = fromEngine(list.findings.items().front().message);
  m_note->setText(u"⚠ "_s + (findings == 1 ? first : u"%1 findings; the first: %2"_s.arg(countText(findings), first)));
}

namespace {

// Width in characters from which list and detail stand side by side.
constexpr int kSideBySide = 150;

PickedThing thingOfGroup(const InsightGroup& group) {
  PickedThing thing{.kind = u"Insights"_s, .title = insightGroupText(group), .facts = {}};
  thing.facts.emplace_back(u"Meaning"_s, insightMeaningText(group.meaning));
  if (group.bytes > 0) thing.facts.emplace_back(u"Together"_s, bytesText(group.bytes));
  if (group.sharedBytes > 0) thing.facts.emplace_back(u"In other groups"_s, bytesText(group.sharedBytes));
  thing.facts.emplace_back(u"Insights"_s, countText(group.insights.size()));
  if (group.objects > 0) thing.facts.emplace_back(u"Objects"_s, countText(group.objects));
  if (group.grouping == InsightGrouping::Kind) thing.facts.emplace_back(u"What it is"_s, insightKindTip(group.kind));
  return thing;
}

PickedThing thingOfInsight(const engine::Insight& insight) {
  PickedThing thing{.kind = insightKindText(insight.kind), .title = shortInsightTitle(insight), .facts = {}};
  if (insight.bytes > 0) thing.facts.emplace_back(u"Bytes"_s, insightBytesText(insight));
  if (insight.objects > 0) thing.facts.emplace_back(u"Objects"_s, countText(insight.objects));
  if (!insight.owners.empty()) thing.facts.emplace_back(u"Held by"_s, givenNameText(insight.owners.front().name));
  return thing;
}

QString lookedFor() {
  QStringList kinds;
  for (std::size_t kind = 0; kind < kInsightKinds; ++kind)
    kinds << insightKindText(static_cast<engine::InsightKind>(kind)).toLower();
  return kinds.join(u", "_s);
}

}  // namespace

InsightsPlace::InsightsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_source(InsightsSource::of(bridge)),
      m_head(new InsightsHead(this)),
      m_list(new InsightsList(bridge, navigator, this)),
      m_detail(new InsightDetail(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_pages->addWidget(m_state);
  m_pages->addWidget(
      new SplitPage(m_head, m_list, m_detail, {.besideFrom = kSideBySide, .beside = 0.6, .above = 0.7}, this));
  connect(&m_source, &InsightsSource::stateChanged, this, &InsightsPlace::showState);
  connect(&m_source, &InsightsSource::progressed, this, &InsightsPlace::showProgress);
  connect(m_head, &InsightsHead::lookWanted, &m_source, qOverload<>(&InsightsSource::look));
  connect(m_list, &InsightsList::picked, this, &InsightsPlace::pick);
  connect(m_list, &InsightsList::groupPicked, this, [this](const InsightGroup& group) {
    if (!m_shown) return;
    m_detail->showGroup(*m_shown, group);
    // Hidden places prepare themselves, but say nothing to the others.
    if (isVisible()) m_navigator.tell(thingOfGroup(group));
  });
  connect(m_detail, &InsightDetail::openWanted, m_list, &InsightsList::open);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &InsightsPlace::showState);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &InsightsPlace::showState);
  clear();
}

void InsightsPlace::showSnapshot(const engine::Snapshot&) {
  showState();
}

void InsightsPlace::clear() {
  m_shown.reset();
  m_list->clear();
  m_detail->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see where its memory is wasted."_s);
  m_pages->setCurrentWidget(m_state);
}

void InsightsPlace::showState() {
  if (!m_bridge.snapshot()) return;
  if (m_source.state() == InsightsState::Ready) {
    showFound();
    return;
  }
  m_shown.reset();
  m_pages->setCurrentWidget(m_state);
  switch (m_source.state()) {
    case InsightsState::Waiting:
      showRetainedState(*m_state, m_bridge);
      break;
    case InsightsState::Computing:
      showProgress();
      break;
    case InsightsState::Stopped:
      m_state->showEmpty(u"Not looked for"_s, u"Looking for waste and leaks was stopped."_s);
      m_state->setAction(u"Look now"_s, [this] { m_source.look(); });
      break;
    case InsightsState::Failed:
      m_state->showFailed(u"Waste and leaks could not be looked for"_s,
                          m_source.error() ? fromEngine(m_source.error()->message()) : QString());
      m_state->setAction(m_source.lacksMemory() ? u"Scan anyway"_s : u"Try again"_s, [this] { m_source.lookAnyway(); });
      break;
    case InsightsState::Ready:
      break;
  }
}

void InsightsPlace::showProgress() {
  if (m_source.state() != InsightsState::Computing) return;
  m_state->showLoading(insightsProgressText(m_source));
  m_state->setAction(u"Stop"_s, [this] { m_source.stop(); });
}

void InsightsPlace::showNothingFound() {
  const engine::InsightList& list = m_source.found()->list;
  const auto& snapshot = m_source.bridge().snapshot();
  const bool isRecorded = snapshot && snapshot->isRecorded();
  QString text = isRecorded ? u"A .gcdump file does not tell what objects hold. Looked for: leak suspects."_s
                            : u"Looked for: %1."_s.arg(lookedFor());
  const bool isLookedForInPart = snapshot && !isRecorded && !snapshot->hasFields();
  if (isLookedForInPart) text = fromEngine(engine::notLookedFor(*snapshot));
  if (list.smallInsights > 0) {
    text += QLatin1Char('\n') + u"%1 too small to be listed: %2 together."_s.arg(
                                    countedText(list.smallInsights, u"thing"_s), bytesText(list.smallBytes));
  }
  m_state->showEmpty(isRecorded          ? u"Nothing retains suspiciously much"_s
                     : isLookedForInPart ? u"Nothing was found"_s
                                         : u"Nothing is wasted, nothing leaks"_s,
                     text);
  m_state->setAction(u"Scan again"_s, [this] { m_source.look(); });
  m_pages->setCurrentWidget(m_state);
}

void InsightsPlace::showFound() {
  if (m_shown == m_source.found()) return;
  m_shown = m_source.found();
  if (m_shown->list.insights.empty()) {
    showNothingFound();
    return;
  }
  m_head->show(*m_shown);
  m_list->show(m_shown);
  m_detail->clear();
  follow(m_navigator.location());
  m_pages->setCurrentIndex(1);
}

void InsightsPlace::follow(const Location& location) {
  const bool wasHere = std::exchange(m_isHere, location.place == PlaceId::Insights);
  const auto* key = std::get_if<InsightKey>(&location.listed);
  if (!m_isHere || !key || !m_shown) return;
  if (const auto insight = m_shown->find(*key)) m_list->pick(*insight);
  if (!wasHere) m_list->setFocus();
}

void InsightsPlace::pick(std::uint32_t insight) {
  if (!m_shown) return;
  m_detail->show(m_shown, insight);
  const engine::Insight& picked = m_shown->list.insights[insight];
  // Hidden places prepare themselves, but say nothing to the others; nor is following a step of its own.
  if (!isVisible() || m_navigator.location().listed == Listed(keyOf(picked))) return;
  showInsight(m_navigator, picked);
  if (picked.items.empty() && !picked.methodTable) m_navigator.tell(thingOfInsight(picked));
}

}  // namespace heapscape::gui

#include "insights_place.moc"
