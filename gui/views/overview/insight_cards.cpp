// SPDX-License-Identifier: MIT
#include "views/overview/insight_cards.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <set>

#include "models/names/insight_text.h"
#include "models/retained_progress.h"
#include "views/overview/insight_card.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kCards = 3;
constexpr double kLeadSize = 1.4;
// Width in characters from which the cards stand side by side.
constexpr int kSideBySide = 90;

QString allInsightsText(std::size_t count) {
  return count == 1 ? QStringLiteral("The insight") : QStringLiteral("All %1 insights").arg(countText(count));
}

QString leadText(const engine::InsightList& list) {
  const std::uint64_t bytes = list.wasteBytes + list.leakBytes;
  return bytes == 0 ? QStringLiteral("Nothing is wasted, nothing leaks")
                    : QStringLiteral("%1 can be won back").arg(bytesText(bytes));
}

QString summaryText(const FoundInsights& found) {
  const engine::InsightList& list = found.list;
  const std::uint64_t bytes = list.wasteBytes + list.leakBytes;
  if (bytes == 0) return {};
  return QStringLiteral("%1 of the heap: %2 wasted, %3 leaked, each byte counted once")
      .arg(percentText(bytes, found.heapBytes), bytesText(list.wasteBytes), bytesText(list.leakBytes));
}

}  // namespace

std::vector<engine::InsightRow> costliestInsights(const engine::InsightList& list, std::size_t limit) {
  std::vector<engine::InsightRow> costliest;
  std::set<engine::InsightKind> kinds;
  for (engine::InsightRow& row : engine::insightRows(list)) {
    if (costliest.size() == limit) break;
    if (!row.isFramework && kinds.insert(row.kind).second) costliest.push_back(std::move(row));
  }
  return costliest;
}

InsightCards::InsightCards(InsightsSource& source, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_navigator(navigator),
      m_lead(makeHeading(QString(), this, kLeadSize)),
      m_text(makeNote(QString(), this)),
      m_all(new QPushButton(this)),
      m_line(new QBoxLayout(QBoxLayout::LeftToRight)) {
  setObjectName(QStringLiteral("insightCards"));
  m_lead->setObjectName(QStringLiteral("insightLead"));
  m_text->setObjectName(QStringLiteral("insightSummary"));
  m_all->setObjectName(QStringLiteral("allInsights"));
  m_all->setIcon(symbolIcon(QStringLiteral("insights")));
  m_line->setSpacing(16);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(m_lead);
  words->addWidget(m_text);
  auto* head = new QHBoxLayout;
  head->addLayout(words, 1);
  head->addWidget(m_all, 0, Qt::AlignVCenter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addLayout(head);
  column->addLayout(m_line);
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
  m_lead->setVisible(isReady);
  if (isReady) m_lead->setText(leadText(m_source.found()->list));
  m_all->setVisible(isReady || isLacking || state == InsightsState::Stopped || state == InsightsState::Failed);
  m_all->setText(isReady     ? allInsightsText(m_source.found()->list.insights.size())
                 : isLacking ? QStringLiteral("Find out who holds what")
                             : QStringLiteral("Insights"));
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
      m_text->setText(QStringLiteral("Looking for waste and leaks was stopped."));
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
  for (const engine::InsightRow& row : costliestInsights(list, kCards)) {
    auto* card = new InsightCard(list, row, this);
    card->setObjectName(QStringLiteral("insightCard%1").arg(m_line->count()));
    connect(card, &QAbstractButton::clicked, this, [this, found = m_source.found(), insight = row.insights.front()] {
      showInsight(m_navigator, found->list.insights[insight]);
    });
    m_line->addWidget(card, 1);
  }
}

}  // namespace heapscape::gui
