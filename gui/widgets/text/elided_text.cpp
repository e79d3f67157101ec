// SPDX-License-Identifier: MIT
#include "widgets/text/elided_text.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/actions_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/wrapped_name.h"

namespace heapscape::gui {

namespace {

constexpr int kFewestCharacters = 6;

}  // namespace

ElidedText::ElidedText(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  offerActions(this);
  auto* copy = new QAction(QStringLiteral("Copy"), this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
  addAction(copy);
}

ElidedText::ElidedText(const QString& text, QWidget* parent) : ElidedText(parent) {
  setText(text);
}

void ElidedText::setText(const QString& text) {
  m_text = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedText::setDetail(const QString& detail) {
  m_detail = detail;
}

void ElidedText::setElideMode(Qt::TextElideMode mode) {
  m_mode = mode;
  update();
}

void ElidedText::setWraps() {
  m_wraps = true;
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ElidedText::setAlignment(Qt::Alignment alignment) {
  m_alignment = alignment;
  update();
}

void ElidedText::setDimmed(bool isDimmed) {
  m_isDimmed = isDimmed;
  update();
}

void ElidedText::setWarning(bool isWarning) {
  m_isWarning = isWarning;
  update();
}

QSize ElidedText::sizeHint() const {
  return QSize(fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()).grownBy(contentsMargins());
}

QSize ElidedText::minimumSizeHint() const {
  const int few = fontMetrics().averageCharWidth() * kFewestCharacters;
  return {qMin(sizeHint().width(), few), sizeHint().height()};
}

int ElidedText::heightForWidth(int width) const {
  if (!m_wraps) return -1;
  const QMargins around = contentsMargins();
  const QRect room(0, 0, width - around.left() - around.right(), 0);
  return fontMetrics().boundingRect(room, Qt::TextWordWrap, breakableText(m_text)).height() + around.top() +
         around.bottom();
}

bool ElidedText::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const bool isWhole = m_wraps || fontMetrics().horizontalAdvance(m_text) <= contentsRect().width();
    const QString shown = !m_detail.isEmpty() ? m_detail : isWhole ? QString() : m_text;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), shown, this);
    return true;
  }
  return QWidget::event(event);
}

void ElidedText::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  painter.setPen(m_isWarning  ? colours.warning()
                 : m_isDimmed ? colours.dimmedText()
                              : palette().color(foregroundRole()));
  const QRect room = contentsRect();
  if (m_wraps) {
    painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextWordWrap, breakableText(m_text));
    return;
  }
  const QString shown = fontMetrics().elidedText(m_text, m_mode, room.width());
  painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
}

}  // namespace heapscape::gui
