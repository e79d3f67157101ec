// SPDX-License-Identifier: MIT
#include "views/object/trail_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostSteps = 30;

}  // namespace

void ObjectTrail::follow(engine::Address object, const QString& via) {
  m_next = TrailStep{object, {}, via};
}

void ObjectTrail::arrive(engine::Address object, const QString& type) {
  const bool isFollowed = m_next && m_next->object == object && !m_steps.empty();
  const auto known = std::ranges::find(m_steps, object, &TrailStep::object);
  if (known != m_steps.end()) {
    // A cycle of references is no longer way.
    m_current = static_cast<std::size_t>(known - m_steps.begin());
  } else if (isFollowed) {
    m_steps.resize(m_current + 1);
    m_steps.push_back(*m_next);
    if (m_steps.size() > kMostSteps) m_steps.erase(m_steps.begin());
    m_current = m_steps.size() - 1;
  } else {
    m_steps.assign(1, TrailStep{object, {}, {}});
    m_current = 0;
  }
  m_steps[m_current].type = type;
  m_next.reset();
}

void ObjectTrail::clear() {
  m_steps.clear();
  m_current = 0;
  m_next.reset();
}

namespace {

constexpr int kTrailBarMostLetters = 28;  // of one step
constexpr int kArrowLetters = 4;

QString stepText(const TrailStep& step, const QFontMetrics& metrics) {
  const QString text = step.via.isEmpty() ? step.type : u"%1: %2"_s.arg(step.via, step.type);
  return metrics.elidedText(text, Qt::ElideMiddle, kTrailBarMostLetters * metrics.averageCharWidth());
}

}  // namespace

TrailBar::TrailBar(QWidget* parent) : QWidget(parent) {
  setObjectName(u"objectTrail"_s);
  setAccessibleName(u"The way here"_s);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setSizePolicy(policy);
  hide();
}

void TrailBar::show(const ObjectTrail& trail) {
  m_trail = trail;
  // One object is no way.
  setVisible(m_trail.steps().size() > 1);
  build();
}

void TrailBar::build() {
  delete m_body;
  m_body = new QWidget(this);
  auto* line = new QHBoxLayout(m_body);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(0);
  const auto& steps = m_trail.steps();
  // As many steps up to the current one as there is room for.
  const int letter = fontMetrics().averageCharWidth();
  const int room = std::max(1, width() / ((kTrailBarMostLetters + kArrowLetters) * letter));
  const std::size_t first = m_trail.current() + 1 > static_cast<std::size_t>(room)
                                ? m_trail.current() + 1 - static_cast<std::size_t>(room)
                                : 0;
  if (first > 0) line->addWidget(new QLabel(u"… "_s, m_body));
  for (std::size_t number = first; number < steps.size() && number < first + static_cast<std::size_t>(room); ++number) {
    if (number > 0) {
      auto* arrow = new QLabel(u"›"_s, m_body);
      arrow->setForegroundRole(QPalette::PlaceholderText);
      line->addWidget(arrow);
    }
    const TrailStep& step = steps[number];
    auto* link = new QToolButton(m_body);
    link->setText(stepText(step, fontMetrics()).replace(QLatin1Char('&'), u"&&"_s));
    link->setToolTip(
        u"%1\n%2"_s.arg(step.via.isEmpty() ? step.type : step.via + u": "_s + step.type, addressText(step.object)));
    link->setAccessibleName(step.type);
    link->setCheckable(true);
    link->setProperty("isChoice", true);  // of the steps, as to its look
    link->setChecked(number == m_trail.current());
    link->setMinimumHeight(std::max(24, fontMetrics().height() * 3 / 2));
    link->setFocusPolicy(Qt::TabFocus);
    connect(link, &QToolButton::clicked, this,
            [this, link, isCurrent = number == m_trail.current(), object = step.object] {
              link->setChecked(isCurrent);
              if (!isCurrent) Q_EMIT objectWanted(object);
            });
    line->addWidget(link);
  }
  line->addStretch(1);
  layout()->addWidget(m_body);
}

void TrailBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width() && !m_trail.steps().empty()) build();
}

}  // namespace heapscape::gui
