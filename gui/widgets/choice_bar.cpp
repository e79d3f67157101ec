// SPDX-License-Identifier: MIT
#include "widgets/choice_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

namespace heapscape::gui {

ChoiceBar::ChoiceBar(const QString& name, const QStringList& words, const QStringList& tips, QWidget* parent)
    : QWidget(parent), m_buttons(new QButtonGroup(this)) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  const int side = std::max(26, fontMetrics().height() * 8 / 5);
  for (int choice = 0; choice < words.size(); ++choice) {
    auto* button = new QToolButton(this);
    button->setObjectName(name + QString::number(choice));
    button->setText(words[choice]);
    button->setToolTip(tips[choice]);
    button->setAccessibleName(words[choice]);
    button->setAccessibleDescription(tips[choice]);
    button->setAutoRaise(true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumSize(side, side);
    line->addWidget(button);
    m_buttons->addButton(button, choice);
  }
  m_buttons->button(0)->setChecked(true);
  connect(m_buttons, &QButtonGroup::idToggled, this, [this](int choice, bool isOn) {
    if (isOn) Q_EMIT chosen(choice);
  });
}

// One edge around all: they are one choice.
void ChoiceBar::paintEvent(QPaintEvent*) {
  constexpr double kChoiceRadius = 6;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kChoiceRadius, kChoiceRadius);
}

int ChoiceBar::choice() const {
  return m_buttons->checkedId();
}

void ChoiceBar::choose(int choice) {
  m_buttons->button(choice)->setChecked(true);
}

}  // namespace heapscape::gui
