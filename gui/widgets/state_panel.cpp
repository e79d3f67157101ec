// SPDX-License-Identifier: MIT
#include "widgets/state_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr int kTextColumns = 62;

QString symbolOf(StatePanel::State state) {
  switch (state) {
    case StatePanel::State::Loading:
      return u"hourglass"_s;
    case StatePanel::State::Empty:
      return u"empty"_s;
    case StatePanel::State::Failed:
      break;
  }
  return u"warning"_s;
}

constexpr int kBannerMargin = 12;

}  // namespace

StatePanel::StatePanel(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_heading(new QLabel(this)),
      m_text(new QLabel(this)),
      m_busy(new QProgressBar(this)),
      m_button(new QPushButton(this)) {
  m_icon->setAlignment(Qt::AlignCenter);
  m_heading->setFont(scaledFont(font(), 1.35, QFont::DemiBold));
  for (QLabel* label : {m_heading, m_text}) {
    label->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setMaximumWidth(fontMetrics().averageCharWidth() * kTextColumns);
  }
  m_text->setForegroundRole(QPalette::PlaceholderText);
  m_busy->setRange(0, 0);
  m_busy->setTextVisible(false);
  m_busy->setFixedSize(fontMetrics().averageCharWidth() * 24, 4);
  m_busy->setAccessibleName(u"Working"_s);
  connect(m_button, &QPushButton::clicked, this, [this] {
    if (m_action) m_action();
  });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 24, 24, 24);
  layout->setSpacing(8);
  layout->addStretch(2);
  layout->addWidget(m_icon, 0, Qt::AlignHCenter);
  layout->addSpacing(8);
  // Centred by room on both sides, because an aligned label would not be as high as its wrapped lines.
  for (QLabel* label : {m_heading, m_text}) {
    auto* line = new QHBoxLayout;
    line->addStretch(1);
    line->addWidget(label, 1000);
    line->addStretch(1);
    layout->addLayout(line);
  }
  layout->addWidget(m_busy, 0, Qt::AlignHCenter);
  layout->addSpacing(8);
  layout->addWidget(m_button, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  show(State::Empty, QString(), QString());
}

void StatePanel::showLoading(const QString& text) {
  show(State::Loading, text, QString());
}

void StatePanel::showEmpty(const QString& heading, const QString& text) {
  show(State::Empty, heading, text);
}

void StatePanel::showFailed(const QString& heading, const QString& text) {
  show(State::Failed, heading, text);
}

void StatePanel::setAction(const QString& text, const std::function<void()>& action) {
  m_action = action;
  m_button->setText(text);
  m_button->setVisible(true);
}

void StatePanel::show(State state, const QString& heading, const QString& text) {
  m_state = state;
  m_action = nullptr;
  m_button->setVisible(false);
  m_heading->setText(heading);
  m_heading->setVisible(!heading.isEmpty());
  m_text->setText(text);
  m_text->setVisible(!text.isEmpty());
  m_busy->setVisible(state == State::Loading);
  setAccessibleName(heading);
  setAccessibleDescription(text);
  updateLook();
  showPictureIfItFits();
}

int StatePanel::pictureHeight() const {
  return m_icon->sizeHint().height() + layout()->spacing();
}

QSize StatePanel::minimumSizeHint() const {
  QSize size = QWidget::minimumSizeHint();
  if (!m_icon->isHidden()) size.rheight() -= pictureHeight();
  return size;
}

void StatePanel::showPictureIfItFits() {
  const bool isFitting = height() >= minimumSizeHint().height() + pictureHeight();
  m_icon->setVisible(m_state != State::Loading && isFitting);
}

void StatePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showPictureIfItFits();
}

void StatePanel::updateLook() {
  const Colours colours(palette());
  const int side = fontMetrics().height() * 3;
  const QColor colour = m_state == State::Failed ? colours.warning() : colours.outline();
  m_icon->setPixmap(symbolPixmap(symbolOf(m_state), colour, side, devicePixelRatioF()));
}

void StatePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) updateLook();
}

Banner::Banner(QWidget* parent) : QWidget(parent), m_text(new QLabel(this)) {
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kBannerMargin * 2 + qRound(fontMetrics().height() * 1.2), kBannerMargin, kBannerMargin,
                             kBannerMargin);
  layout->addWidget(m_text);
  hide();
}

void Banner::setText(const QString& text) {
  m_text->setText(text);
  setAccessibleName(text);
  setVisible(!text.isEmpty());
}

void Banner::paintEvent(QPaintEvent*) {
  const int side = qRound(fontMetrics().height() * 1.2);
  paintWarningGround(*this, {kBannerMargin, (height() - side) / 2}, side);
}

}  // namespace heapscape::gui
