// SPDX-License-Identifier: MIT
#include "app/guide/guide_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/guide/guided_questions.h"
#include "session/details/go_to.h"
#include "widgets/drawing/colours.h"
#include "widgets/section.h"
#include "widgets/tab_order.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

constexpr auto kGuideChannel = "guide";
constexpr int kLookingMs = 150;

/// The type of that name, or its first object.
Selection selectionOf(const engine::Snapshot& snapshot, const std::string& type, bool isType) {
  const auto found = engine::findDestinations(snapshot, type, 1);
  if (found.empty() || found.front().title != type) return {};
  Selection selection{.object = {}, .methodTable = found.front().methodTable, .segment = {}};
  if (isType) return selection;
  engine::ObjectFilter filter;
  filter.type = snapshot.typeOf(selection.methodTable);
  for (const engine::ObjectRow& row : engine::listObjects(snapshot, filter, 0, 1)) selection.object = row.address;
  return selection;
}

/// The largest part of that name that can be seen: a button may be named after the picture that it leads to.
QWidget* visiblePart(const QWidget& window, const QString& name) {
  QWidget* largest = nullptr;
  const auto area = [](const QWidget* part) { return part ? part->width() * part->height() : 0; };
  for (QWidget* part : window.findChildren<QWidget*>(name)) {
    if (part->isVisible() && part->window() == &window && area(part) > area(largest)) largest = part;
  }
  const auto* pages = qobject_cast<QTabWidget*>(largest);
  return pages ? pages->tabBar() : largest;  // what one clicks to get to a page
}

}  // namespace

GuideBar::GuideBar(EngineBridge& bridge, Navigator& navigator, QWidget* window)
    : QWidget(window),
      m_bridge(bridge),
      m_navigator(navigator),
      m_title(makeHeading({}, this)),
      m_count(makeNote({}, this)),
      m_text(new QLabel(this)),
      m_back(new QPushButton(u"Back"_s, this)),
      m_next(new QPushButton(this)),
      m_close(new QToolButton(this)),
      m_mark(new PartMark(window, PartMark::Extent::Seen)),
      m_looking(new QTimer(this)) {
  setObjectName(u"guide"_s);
  m_title->setObjectName(u"guideTitle"_s);
  m_count->setObjectName(u"guideCount"_s);
  m_text->setObjectName(u"guideText"_s);
  m_back->setObjectName(u"guideBack"_s);
  m_next->setObjectName(u"guideNext"_s);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  setUpSymbolButton(m_close, u"guideClose"_s, u"close"_s, u"End the guided question"_s);
  m_looking->setInterval(kLookingMs);

  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  head->addWidget(m_title);
  head->addWidget(m_count, 1);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addLayout(head);
  words->addWidget(m_text);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(24, 10, 12, 10);
  layout->setSpacing(8);
  layout->addLayout(words, 1);
  layout->addWidget(m_back);
  layout->addWidget(m_next);
  layout->addWidget(m_close);

  connect(m_back, &QPushButton::clicked, this, &GuideBar::goBack);
  connect(m_next, &QPushButton::clicked, this, &GuideBar::goOn);
  connect(m_close, &QToolButton::clicked, this, &GuideBar::end);
  connect(m_looking, &QTimer::timeout, this, &GuideBar::markPart);
  connect(&m_navigator, &Navigator::locationChanged, this, &GuideBar::follow);
  hide();
}

const GuidedQuestion& GuideBar::asked() const {
  return guidedQuestions()[*m_question];
}

const GuideStep* GuideBar::current() const {
  return m_question && m_step < asked().steps.size() ? &asked().steps[m_step] : nullptr;
}

void GuideBar::begin(std::size_t question) {
  m_question = question;
  show();
  m_looking->start();
  enter(0, true);
  m_next->setFocus();
}

void GuideBar::end() {
  m_bridge.stopAsking(this, kGuideChannel);
  m_question.reset();
  m_looking->stop();
  m_mark->mark(nullptr);
  hide();
}

void GuideBar::goOn() {
  if (current()) return enter(m_step + 1, true);
  const std::size_t following = *m_question + 1;
  end();
  if (following < guidedQuestions().size()) Q_EMIT questionWanted(following);
}

void GuideBar::goBack() {
  if (m_step > 0) enter(m_step - 1, true);
}

void GuideBar::enter(std::size_t step, bool leads) {
  m_step = step;
  showStep();
  if (const GuideStep* next = current(); next && leads) lead(*next);
  markPart();
}

// What the person did has led to where the next step begins, or to something as good.
void GuideBar::lead(const GuideStep& step) {
  m_bridge.stopAsking(this, kGuideChannel);
  const Location now = m_navigator.location();
  Location wanted = step.where;
  const bool isPicked = step.isTypePicked ? bool(now.selection.methodTable) : bool(now.selection.object);
  if (step.picked.isEmpty() || isPicked) {
    if (!step.picked.isEmpty()) wanted.selection = now.selection;
    return goTo(wanted);
  }
  m_bridge.ask(
      this, kGuideChannel,
      [type = step.picked.toStdString(), isType = step.isTypePicked](
          const engine::Snapshot& snapshot, std::stop_token) { return selectionOf(snapshot, type, isType); },
      [this, wanted](const Selection& selection) {
        Location found = wanted;
        found.selection = selection;
        goTo(found);
      });
}

void GuideBar::goTo(const Location& location) {
  m_isLeading = true;
  m_navigator.go(location);
  m_isLeading = false;
}

void GuideBar::showStep() {
  const std::size_t steps = asked().steps.size();
  const GuideStep* step = current();
  m_title->setText(asked().title);
  m_count->setText(step ? u"Step %1 of %2"_s.arg(m_step + 1).arg(steps) : u"Answer"_s);
  m_text->setText(step ? step->text : asked().answer);
  m_back->setVisible(m_step > 0);
  const std::size_t following = *m_question + 1;
  if (step) {
    m_next->setText(u"Next"_s);
  } else {
    m_next->setText(following < guidedQuestions().size() ? guidedQuestions()[following].title : u"Done"_s);
  }
}

void GuideBar::follow(const Location& location) {
  if (m_isLeading) return;
  if (const GuideStep* step = current(); step && step->isDone && step->isDone(location)) enter(m_step + 1, false);
}

void GuideBar::markPart() {
  const GuideStep* step = current();
  m_mark->mark(step ? visiblePart(*window(), step->part) : nullptr);
}

void GuideBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor ground = palette().color(QPalette::Highlight);
  painter.fillRect(QRect(0, 0, 4, height()), ground);
  ground.setAlphaF(0.08F);
  painter.fillRect(rect(), ground);
  painter.setPen(Colours(palette()).outline());
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

}  // namespace heapscape::gui
