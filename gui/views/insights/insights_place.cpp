// SPDX-License-Identifier: MIT
#include "views/insights/insights_place.h"

#include <QStackedLayout>
#include <utility>

#include "models/names/insight_text.h"
#include "models/retained_progress.h"
#include "views/insights/insight_detail.h"
#include "views/insights/insights_head.h"
#include "views/insights/insights_list.h"
#include "widgets/arranging/split_page.h"
#include "widgets/state_panel.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// Width in characters from which list and detail stand side by side.
constexpr int kSideBySide = 150;

QString lookedFor() {
  QStringList kinds;
  for (std::size_t kind = 0; kind < kInsightKinds; ++kind)
    kinds << insightKindText(static_cast<engine::InsightKind>(kind)).toLower();
  return kinds.join(QStringLiteral(", "));
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
    if (m_shown) m_detail->showGroup(*m_shown, group);
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
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see where its memory is wasted."));
  m_pages->setCurrentWidget(m_state);
}

void InsightsPlace::showState() {
  if (!m_bridge.snapshot()) return;
  if (m_source.state() == InsightsState::Ready) return showFound();
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
      m_state->showEmpty(QStringLiteral("Not looked for"), QStringLiteral("Looking for waste and leaks was stopped."));
      m_state->setAction(QStringLiteral("Look now"), [this] { m_source.look(); });
      break;
    case InsightsState::Failed:
      m_state->showFailed(QStringLiteral("Waste and leaks could not be looked for"),
                          m_source.error() ? fromEngine(m_source.error()->message()) : QString());
      m_state->setAction(m_source.lacksMemory() ? QStringLiteral("Look anyway") : QStringLiteral("Try again"),
                         [this] { m_source.lookAnyway(); });
      break;
    case InsightsState::Ready:
      break;
  }
}

void InsightsPlace::showProgress() {
  if (m_source.state() != InsightsState::Computing) return;
  m_state->showLoading(insightsProgressText(m_source));
  m_state->setAction(QStringLiteral("Stop"), [this] { m_source.stop(); });
}

void InsightsPlace::showNothingFound() {
  const engine::InsightList& list = m_source.found()->list;
  QString text = QStringLiteral("Looked for: %1.").arg(lookedFor());
  if (list.smallInsights > 0) {
    text += QLatin1Char('\n') +
            QStringLiteral("%1 too small to be listed: %2 together.")
                .arg(countedText(list.smallInsights, QStringLiteral("thing")), bytesText(list.smallBytes));
  }
  m_state->showEmpty(QStringLiteral("Nothing is wasted, nothing leaks"), text);
  m_state->setAction(QStringLiteral("Look again"), [this] { m_source.look(); });
  m_pages->setCurrentWidget(m_state);
}

void InsightsPlace::showFound() {
  if (m_shown == m_source.found()) return;
  m_shown = m_source.found();
  if (m_shown->list.insights.empty()) return showNothingFound();
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
}

}  // namespace heapscape::gui
