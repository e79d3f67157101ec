// SPDX-License-Identifier: MIT
#include "app/place_bar.h"

#include <QAction>
#include <QPainter>
#include <QSpacerItem>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

/// Gives way where the window is low, so that all places stay in sight.
class PlaceButton : public QToolButton {
 public:
  using QToolButton::QToolButton;

  QSize sizeHint() const override {
    return {QToolButton::sizeHint().width(), qMax(32, qRound(fontMetrics().height() * 2.0))};
  }
  QSize minimumSizeHint() const override { return {QToolButton::sizeHint().width(), qMax(24, fontMetrics().height())}; }
};

}  // namespace

PlaceBar::PlaceBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
  m_layout->setContentsMargins(8, 4, 8, 4);
  m_layout->setSpacing(0);
  m_layout->addStretch(1);
  setAccessibleName(QStringLiteral("Places"));
}

void PlaceBar::addPlace(PlaceId place, QAction* action) {
  auto* button = new PlaceButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  const int side = qMax(18, qRound(fontMetrics().height() * 1.15));
  button->setIconSize(QSize(side, side));
  button->setFocusPolicy(Qt::TabFocus);
  m_actions[place] = action;
  m_layout->insertWidget(m_layout->count() - 1, button);
}

void PlaceBar::addGap() {
  // Gives way as well.
  m_layout->insertItem(m_layout->count() - 1, new QSpacerItem(0, 12, QSizePolicy::Minimum, QSizePolicy::Preferred));
}

void PlaceBar::setCurrent(PlaceId place) {
  for (auto& [id, action] : m_actions) action->setChecked(id == place);
}

void PlaceBar::setCompact(bool isCompact) {
  if (isCompact == m_isCompact) return;
  m_isCompact = isCompact;
  for (QToolButton* button : findChildren<QToolButton*>()) {
    button->setToolButtonStyle(isCompact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  }
  const int side = isCompact ? 4 : 8;
  m_layout->setContentsMargins(side, 4, side, 4);
}

void PlaceBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(width() - 1, 0, 1, height()), Colours(palette()).gridLine());
}

}  // namespace heapscape::gui
