// SPDX-License-Identifier: MIT
#include "views/overview/fix_first.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "insight/insight_actions.h"
#include "models/names/insight_text.h"
#include "models/retained_offer.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

RowFigure figureOf(const QString& bytes) {
  return {.text = bytes, .room = u"≥ 88.88 MB"_s};
}

QString leadText(const engine::ActionPlan& plan) {
  if (plan.actions.empty()) return u"Possible savings: none found"_s;
  return plan.isLeast ? u"Possible savings: at least %1"_s.arg(bytesText(plan.bytes))
                      : u"Possible savings: %1"_s.arg(bytesText(plan.bytes));
}

QString ofFrameworkText(const engine::InsightList& list) {
  return list.frameworkBytes == 0 ? QString()
                                  : u" Another %1 is inside .NET itself."_s.arg(bytesText(list.frameworkBytes));
}

QString noneText(const engine::InsightList& list) {
  const QString small = list.smallInsights == 0
                            ? u"No waste and no leak that the program could do something about."_s
                            : u"%1 of %2 together are too small to be listed."_s.arg(
                                  countedText(list.smallInsights, u"thing"_s), bytesText(list.smallBytes));
  return small + ofFrameworkText(list);
}

QString summaryText(const FoundInsights& found) {
  const engine::ActionPlan& plan = found.list.plan;
  if (plan.actions.empty()) return noneText(found.list);
  QString text = u"%1, %2 of the heap. No byte is counted twice"_s.arg(
      countedText(plan.actions.size(), u"fix"_s, u"fixes"_s), percentText(plan.bytes, found.heapBytes));
  if (plan.doubtfulBytes > 0)
    text += u"; up to %1 more, unless two of them are about the same bytes."_s.arg(bytesText(plan.doubtfulBytes));
  else
    text += plan.isLeast ? u"; together they may free more."_s : u"."_s;
  return text + ofFrameworkText(found.list);
}

QString certaintyText(engine::ActionCertainty certainty) {
  switch (certainty) {
    case engine::ActionCertainty::Sure:
      return u"sure"_s;
    case engine::ActionCertainty::Check:
      return u"check"_s;
    case engine::ActionCertainty::ByDesign:
      break;
  }
  return u"by design?"_s;
}

QString certaintyTip(engine::ActionCertainty certainty) {
  switch (certainty) {
    case engine::ActionCertainty::Sure:
      return u"Sure: the program does the same with less"_s;
    case engine::ActionCertainty::Check:
      return u"Check: what is not used now may be later"_s;
    case engine::ActionCertainty::ByDesign:
      break;
  }
  return u"By design? Few, large and empty, as tables and buffers are that were made so on purpose"_s;
}

BarLine lineOf(const FoundInsights& found, const engine::InsightAction& action) {
  const engine::InsightList& list = found.list;
  const engine::Insight& first = list.insights[action.insights.front()];
  std::uint64_t objects = 0;
  for (const std::uint32_t insight : action.insights) objects += list.insights[insight].objects;
  BarLine line{.form = RowForm::Action, .isHatched = true};
  line.text = shortActionText(list, action);
  line.figures = {figureOf((action.isLeast ? u"≥ "_s : QString()) + bytesText(action.bytes))};
  line.detail = action.addedBytes == action.bytes ? insightKindText(first.kind)
                : action.addedBytes == 0          ? u"with those above"_s
                                                  : u"adds %1"_s.arg(bytesText(action.addedBytes));
  line.share = static_cast<double>(action.bytes) / static_cast<double>(list.plan.actions.front().bytes);
  line.tip =
      u"%1\n%2, %3"_s.arg(fromEngine(first.advice), exactBytesText(action.bytes), countedText(objects, u"object"_s));
  if (action.addedBytes != action.bytes)
    line.tip += u"\nOf these %1 come with the actions above already."_s.arg(
        exactBytesText(action.bytes - std::min(action.bytes, action.addedBytes)));
  line.tip += u"\nClick: its objects"_s;
  line.spoken = u"%1: %2"_s.arg(line.figures.front().text, line.text);
  return line;
}

}  // namespace

FixFirst::FixFirst(InsightsSource& source, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_navigator(navigator),
      m_lead(makeHeading(QString(), this)),
      m_text(makeNote(QString(), this)),
      m_all(new QPushButton(this)),
      m_list(new QWidget(this)),
      m_rows(new QVBoxLayout(m_list)) {
  setObjectName(u"fixFirst"_s);
  m_lead->setObjectName(u"insightLead"_s);
  m_text->setObjectName(u"insightSummary"_s);
  m_all->setObjectName(u"allInsights"_s);
  m_all->setIcon(symbolIcon(u"insights"_s));
  m_rows->setContentsMargins(0, 0, 0, 0);
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
  column->addWidget(m_list);
  column->addStretch(1);
  connect(m_all, &QPushButton::clicked, this, &FixFirst::askAgain);
  connect(&source.bridge(), &EngineBridge::retainedProgressed, this, [this] {
    if (m_source.state() == InsightsState::Waiting) m_text->setText(retainedStateText(m_source.bridge()));
  });
  connect(&source, &InsightsSource::stateChanged, this, &FixFirst::showState);
  connect(&source, &InsightsSource::progressed, this, [this] {
    if (m_source.state() == InsightsState::Computing) m_text->setText(insightsProgressText(m_source));
  });
  reserve();
  showState();
}

// Rows for all that will be there, so that nothing below moves when they come.
void FixFirst::reserve() {
  const BarRow row(BarLine{.form = RowForm::Action, .text = u"…"_s, .figures = {figureOf(u"…"_s)}});
  const int line = m_text->fontMetrics().height();
  // Most say what they are about in two lines, and so does the sentence above them.
  m_list->setMinimumHeight(m_mostActions * (row.sizeHint().height() + line) + line);
  m_text->setMinimumHeight(2 * line);
}

void FixFirst::setMostActions(int most) {
  if (most == m_mostActions) return;
  m_mostActions = most;
  reserve();
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
  m_lead->setText(u"Possible savings"_s);
  switch (state) {
    case InsightsState::Waiting: {
      const bool isLacking = retained == RetainedState::Stopped || retained == RetainedState::Failed;
      m_text->setText(retainedStateText(m_source.bridge()));
      m_all->setVisible(isLacking);
      m_all->setText(m_source.bridge().lacksMemory() ? computeAgainText(m_source.bridge())
                                                     : u"Find out who holds what"_s);
      break;
    }
    case InsightsState::Computing:
    case InsightsState::Ready:
      m_text->setText(insightsProgressText(m_source));
      m_all->hide();
      break;
    case InsightsState::Stopped:
      m_text->setText(u"Looking for waste and leaks was stopped."_s);
      m_all->setText(u"Scan again"_s);
      m_all->show();
      break;
    case InsightsState::Failed:
      m_lead->setText(u"Possible savings could not be found out"_s);
      m_text->setText(m_source.error() ? fromEngine(m_source.error()->message()) : QString());
      m_all->setText(m_source.lacksMemory() ? u"Scan anyway"_s : u"Scan again"_s);
      m_all->show();
      break;
  }
}

void FixFirst::showFound(const FoundInsights& found) {
  const engine::ActionPlan& plan = found.list.plan;
  const auto& snapshot = m_source.bridge().snapshot();
  const bool isUntold = snapshot && snapshot->isRecorded();
  m_lead->setText(isUntold ? u"Possible savings: not known"_s : leadText(plan));
  m_text->setText(isUntold ? u"A .gcdump file does not tell what objects hold. Looked for is what retains much."_s
                           : summaryText(found));
  const std::size_t count = found.list.insights.size();
  m_all->setText(count == 1 ? u"The insight"_s : u"All %1 insights"_s.arg(countText(count)));
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
}

void FixFirst::addActions(const std::shared_ptr<const FoundInsights>& found) {
  const std::vector<engine::InsightAction>& actions = found->list.plan.actions;
  for (std::size_t i = 0; i < std::min<std::size_t>(actions.size(), kMostActions); ++i) {
    m_actions.push_back(addRow(lineOf(*found, actions[i]), u"fix%1"_s.arg(i), actions[i]));
  }
  m_rest = makeNote(QString(), this);
  m_rest->setObjectName(u"fixRest"_s);
  m_rest->setContentsMargins(0, 2, 0, 0);
  m_rows->addWidget(m_rest);
  m_rows->addStretch(1);
  showMost();
}

void FixFirst::showMost() {
  if (!m_rest) return;
  const std::vector<engine::InsightAction>& actions = m_source.found()->list.plan.actions;
  const std::size_t shown = std::min<std::size_t>(m_actions.size(), static_cast<std::size_t>(m_mostActions));
  for (std::size_t i = 0; i < m_actions.size(); ++i) m_actions[i]->setVisible(i < shown);
  std::uint64_t rest = 0;
  for (std::size_t i = shown; i < actions.size(); ++i) rest += actions[i].addedBytes;
  m_rest->setText(u"and %1 that add %2"_s.arg(countedText(actions.size() - shown, u"smaller fix"_s, u"smaller fixes"_s),
                                              bytesText(rest)));
  m_rest->setVisible(shown < actions.size());
}

QWidget* FixFirst::addRow(const BarLine& line, const QString& name, const engine::InsightAction& action) {
  const std::shared_ptr<const FoundInsights> found = m_source.found();
  const InsightKey objects = keyOf(found->list, action);
  const std::size_t insight = action.insights.front();
  const engine::ActionCertainty certainty = engine::certaintyOf(found->list, action);
  auto* body = new QWidget(this);
  auto* row = new BarRow(line, body);
  row->setObjectName(name);
  auto* sure = makeNote(certaintyText(certainty), body);
  sure->setObjectName(name + u"Certainty"_s);
  sure->setToolTip(certaintyTip(certainty));
  sure->setWordWrap(false);
  // One below the other.
  sure->setMinimumWidth(fontMetrics().horizontalAdvance(certaintyText(engine::ActionCertainty::ByDesign)));
  auto* why = new QToolButton(body);
  why->setObjectName(name + u"Why"_s);
  why->setText(u"Show me"_s);
  why->setToolTip(u"Advice, owners and figures, in the place Insights"_s);
  why->setAccessibleName(u"Show me: %1"_s.arg(line.text));
  why->setAutoRaise(true);
  why->setMinimumHeight(row->sizeHint().height());
  auto* both = new QHBoxLayout(body);
  both->setContentsMargins(0, 0, 0, 0);
  both->setSpacing(4);
  both->addWidget(row, 1);
  both->addWidget(sure);
  both->addWidget(why);
  connect(row, &QAbstractButton::clicked, this, [this, found, objects, insight] {
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
