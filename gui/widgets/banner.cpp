// SPDX-License-Identifier: MIT
#include "widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr int kBannerMargin = 12;

}  // namespace

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
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor warning = Colours(palette()).warning();
  QColor ground = warning;
  ground.setAlphaF(0.10F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(rect(), 8, 8);
  const int side = qRound(fontMetrics().height() * 1.2);
  painter.drawPixmap(QPoint(kBannerMargin, (height() - side) / 2),
                     symbolPixmap(QStringLiteral("warning"), warning, side, devicePixelRatioF()));
}

}  // namespace heapscape::gui
