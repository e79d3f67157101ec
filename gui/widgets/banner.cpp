// SPDX-License-Identifier: MIT
#include "widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>

#include "widgets/drawing/marks.h"

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
  const int side = qRound(fontMetrics().height() * 1.2);
  paintWarningGround(*this, {kBannerMargin, (height() - side) / 2}, side);
}

}  // namespace heapscape::gui
