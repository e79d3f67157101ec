// SPDX-License-Identifier: MIT
#include "widgets/elided_label.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/colours.h"

namespace heapscape::gui {

namespace {

constexpr int kFewestCharacters = 6;

}  // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("Copy"), this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
  addAction(copy);
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : ElidedLabel(parent) {
  setText(text);
}

void ElidedLabel::setText(const QString& text) {
  m_text = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setDetail(const QString& detail) {
  m_detail = detail;
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
  m_mode = mode;
  update();
}

void ElidedLabel::setAlignment(Qt::Alignment alignment) {
  m_alignment = alignment;
  update();
}

void ElidedLabel::setDimmed(bool isDimmed) {
  m_isDimmed = isDimmed;
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  const int few = fontMetrics().averageCharWidth() * kFewestCharacters;
  return {qMin(sizeHint().width(), few), fontMetrics().height()};
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const bool isWhole = fontMetrics().horizontalAdvance(m_text) <= width();
    const QString shown = !m_detail.isEmpty() ? m_detail : isWhole ? QString() : m_text;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), shown, this);
    return true;
  }
  return QWidget::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(m_isDimmed ? Colours(palette()).dimmedText() : palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(m_text, m_mode, width());
  painter.drawText(rect(), static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
}

}  // namespace heapscape::gui
