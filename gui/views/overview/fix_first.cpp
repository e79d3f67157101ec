// SPDX-License-Identifier: MIT
#include "views/overview/fix_first.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "insight/insight_groups.h"
#include "models/insights_source.h"
#include "models/names/insight_text.h"
#include "models/retained_progress.h"
#include "views/overview/heap_bar.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kFixLeadSize = 1.6;
constexpr std::size_t kMostHeld = 3;

RowFigure figureOf(const QString& bytes) {
  return {.text = bytes, .room = QStringLiteral("≥ 88.88 MB")};
}

QString leadText(const engine::ActionPlan& plan) {
  if (plan.actions.empty()) return QStringLiteral("Nothing to win back was found");
  return plan.isLeast ? QStringLiteral("At least %1 can be won back").arg(bytesText(plan.bytes))
                      : QStringLiteral("%1 can be won back").arg(bytesText(plan.bytes));
}

QString ofFrameworkText(const engine::InsightList& list) {
  return list.frameworkBytes == 0 ? QString()
                                  : QStringLiteral(" %1 more are .NET's own, which the program cannot change.")
                                        .arg(bytesText(list.frameworkBytes));
}

QString noneText(const engine::InsightList& list) {
  const QString small =
      list.smallInsights == 0
          ? QStringLiteral("No waste and no leak that the program could do something about.")
          : QStringLiteral("%1 of %2 together are too small to be listed.")
                .arg(countedText(list.smallInsights, QStringLiteral("thing")), bytesText(list.smallBytes));
  return small + ofFrameworkText(list);
}

QString summaryText(const FoundInsights& found) {
  const engine::ActionPlan& plan = found.list.plan;
  if (plan.actions.empty()) return noneText(found.list);
  QString text =
      QStringLiteral("%1 of the heap by %2, each byte counted once.")
          .arg(percentText(plan.bytes, found.heapBytes), countedText(plan.actions.size(), QStringLiteral("action")));
  if (plan.doubtfulBytes > 0)
    text += QStringLiteral(" Up to %1 more, unless two actions are about the same bytes.")
                .arg(bytesText(plan.doubtfulBytes));
  else if (plan.isLeast)
    text += QStringLiteral(" All of them together may free more than each alone.");
  return text + ofFrameworkText(found.list);
}

BarLine lineOf(const FoundInsights& found, const engine::InsightAction& action) {
  const engine::InsightList& list = found.list;
  const engine::Insight& first = list.insights[action.insights.front()];
  std::uint64_t objects = 0;
  for (const std::uint32_t insight : action.insights) objects += list.insights[insight].objects;
  BarLine line{.form = RowForm::Action, .isHatched = true};
  line.text = shortActionText(list, action);
  line.figures = {figureOf((action.isLeast ? QStringLiteral("≥ ") : QString()) + bytesText(action.bytes))};
  line.detail = action.addedBytes == action.bytes ? insightKindText(first.kind)
                : action.addedBytes == 0          ? QStringLiteral("with those above")
                                                  : QStringLiteral("adds %1").arg(bytesText(action.addedBytes));
  line.share = static_cast<double>(action.bytes) / static_cast<double>(list.plan.actions.front().bytes);
  line.tip =
      QStringLiteral("%1\n%2, %3")
          .arg(fromEngine(first.advice), exactBytesText(action.bytes), countedText(objects, QStringLiteral("object")));
  if (action.addedBytes != action.bytes)
    line.tip += QStringLiteral("\nOf these %1 come with the actions above already.")
                    .arg(exactBytesText(action.bytes - std::min(action.bytes, action.addedBytes)));
  line.tip += QStringLiteral("\nClick: its objects");
  line.spoken = QStringLiteral("%1: %2").arg(line.figures.front().text, line.text);
  return line;
}

BarLine heldLine(const engine::InsightList& list, const engine::InsightRow& row, std::uint64_t most) {
  const engine::Insight& first = list.insights[row.insights.front()];
  BarLine line{.form = RowForm::Action};
  line.text = row.isGroup() ? fromEngine(engine::insightGroupTitle(row.kind, row.insights.size(), row.objects))
                            : shortInsightTitle(first);
  line.figures = {figureOf(bytesText(row.bytes))};
  line.detail = insightKindText(row.kind);
  line.share = most == 0 ? 0 : static_cast<double>(row.bytes) / static_cast<double>(most);
  line.tip =
      QStringLiteral("%1\n%2 are held\nClick: its objects").arg(fromEngine(first.advice), exactBytesText(row.bytes));
  line.spoken = QStringLiteral("%1: %2").arg(line.figures.front().text, line.text);
  return line;
}

}  // namespace

FixFirst::FixFirst(InsightsSource& source, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_navigator(navigator),
      m_lead(makeHeading(QString(), this, kFixLeadSize)),
      m_text(makeNote(QString(), this)),
      m_all(new QPushButton(this)),
      m_bar(new HeapBar(this)),
      m_rows(new QVBoxLayout) {
  setObjectName(QStringLiteral("fixFirst"));
  m_lead->setObjectName(QStringLiteral("insightLead"));
  m_text->setObjectName(QStringLiteral("insightSummary"));
  m_all->setObjectName(QStringLiteral("allInsights"));
  m_all->setIcon(symbolIcon(QStringLiteral("insights")));
  m_rows->setSpacing(0);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(m_lead);
  words->addWidget(m_text);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  head->addLayout(words, 1);
  head->addWidget(m_all, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addLayout(head);
  column->addWidget(m_bar);
  column->addLayout(m_rows);
  connect(m_all, &QPushButton::clicked, this, &FixFirst::askAgain);
  connect(&source.bridge(), &EngineBridge::retainedProgressed, this, [this] {
    if (m_source.state() == InsightsState::Waiting) m_text->setText(retainedStateText(m_source.bridge()));
  });
  connect(&source, &InsightsSource::stateChanged, this, &FixFirst::showState);
  connect(&source, &InsightsSource::progressed, this, [this] {
    if (m_source.state() == InsightsState::Computing) m_text->setText(insightsProgressText(m_source));
  });
  showState();
}

void FixFirst::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects)) return;
  m_heapBytes = snapshot.totals().bytes;
  showState();
}

void FixFirst::clear() {
  m_heapBytes = 0;
  showState();
}

void FixFirst::setMostActions(int most) {
  if (most == m_mostActions) return;
  m_mostActions = most;
  showMost();
}

// Whatever is lacking, the one button goes on from there.
void FixFirst::askAgain() {
  switch (m_source.state()) {
    case InsightsState::Waiting:
      m_source.bridge().computeRetainedAnyway();
      return;
    case InsightsState::Stopped:
    case InsightsState::Failed:
      m_source.lookAnyway();
      return;
    case InsightsState::Computing:
    case InsightsState::Ready:
      m_navigator.goTo(PlaceId::Insights);
      return;
  }
}

void FixFirst::showState() {
  showRows();
  const RetainedState retained = m_source.bridge().retainedState();
  const InsightsState state = m_source.state();
  if (state == InsightsState::Ready) {
    showFound(*m_source.found());
    return;
  }
  m_bar->setChange({.now = m_heapBytes});
  m_lead->setText(QStringLiteral("What can be won back"));
  switch (state) {
    case InsightsState::Waiting: {
      const bool isLacking = retained == RetainedState::Stopped || retained == RetainedState::Failed;
      m_text->setText(retainedStateText(m_source.bridge()));
      m_all->setVisible(isLacking);
      m_all->setText(m_source.bridge().lacksMemory() ? computeAgainText(m_source.bridge())
                                                     : QStringLiteral("Find out who holds what"));
      break;
    }
    case InsightsState::Computing:
    case InsightsState::Ready:
      m_text->setText(insightsProgressText(m_source));
      m_all->hide();
      break;
    case InsightsState::Stopped:
      m_text->setText(QStringLiteral("Looking for waste and leaks was stopped."));
      m_all->setText(QStringLiteral("Look again"));
      m_all->show();
      break;
    case InsightsState::Failed:
      m_lead->setText(QStringLiteral("What can be won back could not be found out"));
      m_text->setText(m_source.error() ? fromEngine(m_source.error()->message()) : QString());
      m_all->setText(m_source.lacksMemory() ? QStringLiteral("Look anyway") : QStringLiteral("Look again"));
      m_all->show();
      break;
  }
}

void FixFirst::showFound(const FoundInsights& found) {
  const engine::ActionPlan& plan = found.list.plan;
  m_bar->setChange({.now = found.heapBytes, .goes = plan.bytes, .mayGo = plan.doubtfulBytes, .isLeast = plan.isLeast});
  m_lead->setText(leadText(plan));
  m_text->setText(summaryText(found));
  const std::size_t count = found.list.insights.size();
  m_all->setText(count == 1 ? QStringLiteral("The insight") : QStringLiteral("All %1 insights").arg(countText(count)));
  m_all->setVisible(count > 0);
}

void FixFirst::showRows() {
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  m_actions.clear();
  m_rest = nullptr;
  if (m_source.state() != InsightsState::Ready) return;
  addActions(m_source.found());
  addHeld(m_source.found());
}

void FixFirst::addActions(const std::shared_ptr<const FoundInsights>& found) {
  const std::vector<engine::InsightAction>& actions = found->list.plan.actions;
  for (std::size_t i = 0; i < std::min<std::size_t>(actions.size(), kMostActions); ++i) {
    m_actions.push_back(addRow(lineOf(*found, actions[i]), QStringLiteral("fix%1").arg(i),
                               keyOf(found->list, actions[i]), actions[i].insights.front()));
  }
  m_rest = makeNote(QString(), this);
  m_rest->setObjectName(QStringLiteral("fixRest"));
  m_rest->setContentsMargins(0, 2, 0, 0);
  m_rows->addWidget(m_rest);
  showMost();
}

void FixFirst::showMost() {
  if (!m_rest) return;
  const std::vector<engine::InsightAction>& actions = m_source.found()->list.plan.actions;
  const std::size_t shown = std::min<std::size_t>(m_actions.size(), static_cast<std::size_t>(m_mostActions));
  for (std::size_t i = 0; i < m_actions.size(); ++i) m_actions[i]->setVisible(i < shown);
  std::uint64_t rest = 0;
  for (std::size_t i = shown; i < actions.size(); ++i) rest += actions[i].addedBytes;
  m_rest->setText(QStringLiteral("and %1 that add %2")
                      .arg(countedText(actions.size() - shown, QStringLiteral("smaller action")), bytesText(rest)));
  m_rest->setVisible(shown < actions.size());
}

void FixFirst::addHeld(const std::shared_ptr<const FoundInsights>& found) {
  std::vector<engine::InsightRow> held = engine::insightRows(found->list);
  std::erase_if(held, [](const engine::InsightRow& row) {
    return row.meaning != engine::InsightMeaning::Held || row.isFramework || row.bytes == 0;
  });
  if (held.empty()) return;
  held.resize(std::min(held.size(), kMostHeld));
  auto* heading = makeHeading(QStringLiteral("Merely held"), this, 1);
  heading->setObjectName(QStringLiteral("heldHeading"));
  heading->setContentsMargins(0, 0, 0, 2);
  heading->setToolTip(QStringLiteral("Not waste and no leak, but much of the heap: worth a look"));
  m_rows->addSpacing(12);
  m_rows->addWidget(heading);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t first = held[i].insights.front();
    addRow(heldLine(found->list, held[i], held.front().bytes), QStringLiteral("held%1").arg(i),
           keyOf(found->list.insights[first]), first);
  }
}

QWidget* FixFirst::addRow(const BarLine& line, const QString& name, InsightKey objects, std::size_t insight) {
  const std::shared_ptr<const FoundInsights> found = m_source.found();
  auto* body = new QWidget(this);
  auto* row = new BarRow(line, body);
  row->setObjectName(name);
  auto* why = new QToolButton(body);
  why->setObjectName(name + QStringLiteral("Why"));
  why->setText(QStringLiteral("How"));
  why->setToolTip(QStringLiteral("Advice, owners and figures, in the place Insights"));
  why->setAccessibleName(QStringLiteral("How: %1").arg(line.text));
  why->setAutoRaise(true);
  why->setMinimumHeight(row->sizeHint().height());
  auto* both = new QHBoxLayout(body);
  both->setContentsMargins(0, 0, 0, 0);
  both->setSpacing(4);
  both->addWidget(row, 1);
  both->addWidget(why);
  connect(row, &QAbstractButton::clicked, this, [this, found, objects = std::move(objects), insight] {
    const std::vector<std::uint32_t>* ids = found->objectsOf(objects);
    if (ids && !ids->empty()) return m_navigator.showObjectsOf(QString(), objects);
    showInsight(m_navigator, found->list.insights[insight]);
  });
  connect(why, &QToolButton::clicked, this,
          [this, found, insight] { showInsight(m_navigator, found->list.insights[insight]); });
  m_rows->addWidget(body);
  return body;
}

}  // namespace heapscape::gui
