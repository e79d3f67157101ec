// SPDX-License-Identifier: MIT
#include "views/overview/insight_cards.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <set>

#include "models/insight_text.h"
#include "models/retained_progress.h"
#include "views/overview/insight_card.h"
#include "widgets/figures.h"
#include "widgets/section.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kCards = 3;
// Width in characters from which the cards stand side by side.
constexpr int kSideBySide = 90;

QString allInsightsText(std::size_t count) {
  return count == 1 ? InsightCards::tr("The insight") : InsightCards::tr("All %1 insights").arg(countText(count));
}

QString summaryText(const FoundInsights& found) {
  const engine::InsightList& list = found.list;
  if (list.insights.empty()) return InsightCards::tr("Nothing is wasted, nothing leaks.");
  return InsightCards::tr("%1 wasted, %2 leaked: %3 of the heap")
      .arg(bytesText(list.wasteBytes), bytesText(list.leakBytes),
           percentText(list.wasteBytes + list.leakBytes, found.heapBytes));
}

}  // namespace

std::vector<std::uint32_t> costliestInsights(const engine::InsightList& list, std::size_t limit) {
  std::vector<std::uint32_t> costliest;
  std::set<engine::InsightKind> kinds;
  for (std::uint32_t insight = 0; insight < list.insights.size() && costliest.size() < limit; ++insight) {
    if (list.insights[insight].isFramework) continue;
    if (kinds.insert(list.insights[insight].kind).second) costliest.push_back(insight);
  }
  return costliest;
}

InsightCards::InsightCards(InsightsSource& source, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_navigator(navigator),
      m_text(makeNote(QString(), this)),
      m_all(new QPushButton(this)),
      m_line(new QBoxLayout(QBoxLayout::LeftToRight)) {
  setObjectName(QStringLiteral("insightCards"));
  m_text->setObjectName(QStringLiteral("insightSummary"));
  m_all->setObjectName(QStringLiteral("allInsights"));
  m_all->setIcon(symbolIcon(QStringLiteral("insights")));
  m_line->setSpacing(16);
  auto* foot = new QHBoxLayout;
  foot->addWidget(m_text, 1);
  foot->addWidget(m_all);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addLayout(m_line);
  column->addLayout(foot);
  connect(m_all, &QPushButton::clicked, this, [this] {
    EngineBridge& bridge = m_source.bridge();
    if (m_source.state() == InsightsState::Waiting) return bridge.computeRetained(bridge.rootOptions());
    m_navigator.goTo(PlaceId::Insights);
  });
  connect(&source.bridge(), &EngineBridge::retainedProgressed, this, [this] {
    if (m_source.state() == InsightsState::Waiting) m_text->setText(retainedStateText(m_source.bridge()));
  });
  connect(&source, &InsightsSource::stateChanged, this, &InsightCards::showState);
  connect(&source, &InsightsSource::progressed, this, [this] {
    if (m_source.state() == InsightsState::Computing) m_text->setText(insightsProgressText(m_source));
  });
  showState();
}

void InsightCards::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isWide = width() >= fontMetrics().averageCharWidth() * kSideBySide;
  m_line->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void InsightCards::showState() {
  showCards();
  const InsightsState state = m_source.state();
  const RetainedState retained = m_source.bridge().retainedState();
  const bool isReady = state == InsightsState::Ready;
  const bool isLacking =
      state == InsightsState::Waiting && (retained == RetainedState::Stopped || retained == RetainedState::Failed);
  m_all->setVisible(isReady || isLacking || state == InsightsState::Stopped || state == InsightsState::Failed);
  m_all->setText(isReady     ? allInsightsText(m_source.found()->list.insights.size())
                 : isLacking ? tr("Find out who holds what")
                             : tr("Insights"));
  switch (m_source.state()) {
    case InsightsState::Waiting:
      m_text->setText(retainedStateText(m_source.bridge()));
      break;
    case InsightsState::Computing:
      m_text->setText(insightsProgressText(m_source));
      break;
    case InsightsState::Ready:
      m_text->setText(summaryText(*m_source.found()));
      break;
    case InsightsState::Stopped:
      m_text->setText(tr("Looking for waste and leaks was stopped."));
      break;
    case InsightsState::Failed:
      m_text->setText(m_source.error() ? fromEngine(m_source.error()->message()) : QString());
      break;
  }
}

void InsightCards::showCards() {
  while (QLayoutItem* item = m_line->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  if (m_source.state() != InsightsState::Ready) return;
  const engine::InsightList& list = m_source.found()->list;
  for (const std::uint32_t insight : costliestInsights(list, kCards)) {
    auto* card = new InsightCard(list.insights[insight], this);
    card->setObjectName(QStringLiteral("insightCard%1").arg(m_line->count()));
    connect(card, &QAbstractButton::clicked, this,
            [this, found = m_source.found(), insight] { showInsight(m_navigator, found->list.insights[insight]); });
    m_line->addWidget(card, 1);
  }
}

}  // namespace heapscape::gui
