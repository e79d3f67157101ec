// SPDX-License-Identifier: MIT
#include "app/style/flat_painter.h"

#include <QPainter>
#include <QStyle>
#include <QTime>
#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr double kRadius = 6;
constexpr double kSmallRadius = 4;
constexpr QRgb kNothing = 0;

bool is(const QStyleOption& option, QStyle::StateFlag flag) {
  return option.state.testFlag(flag);
}

bool isHovered(const QStyleOption& option) {
  return is(option, QStyle::State_MouseOver) && is(option, QStyle::State_Enabled);
}

class Kept {
 public:
  explicit Kept(QPainter& painter) : m_painter(painter) {
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
  }
  ~Kept() { m_painter.restore(); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  QPainter& m_painter;
};

}  // namespace

void FlatPainter::fill(const QRect& rect, QRgb colour) const {
  m_painter.fillRect(rect, QColor::fromRgb(colour));
}

void FlatPainter::rounded(const QRect& rect, double radius, QRgb ground, QRgb border, int width) const {
  const Kept kept(m_painter);
  m_painter.setPen(border == kNothing ? QPen(Qt::NoPen) : QPen(QColor::fromRgb(border), width));
  m_painter.setBrush(ground == kNothing ? QBrush() : QBrush(QColor::fromRgb(ground)));
  const double inset = border == kNothing ? 0 : width / 2.0;  // so that the line lies on whole pixels
  m_painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset);
}

int FlatPainter::widthOfEdge(const QStyleOption& option) const {
  return is(option, QStyle::State_HasFocus) ? m_tones.ring : 1;
}

void FlatPainter::button(const QStyleOptionButton& option) const {
  const bool isDefault = option.features.testFlag(QStyleOptionButton::DefaultButton);
  if (!is(option, QStyle::State_Enabled)) {
    rounded(option.rect, kRadius, m_tones.window, m_tones.line);
    return;
  }
  if (isDefault) {
    const QRgb ground = isHovered(option) ? m_tones.accentHover : m_tones.accent;
    // On the accent's own colour a ring of it would not be seen.
    const QRgb border = m_tones.ring > 1 && is(option, QStyle::State_HasFocus) ? m_tones.text : m_tones.accent;
    rounded(option.rect, kRadius, ground, border, widthOfEdge(option));
    return;
  }
  const QRgb ground = is(option, QStyle::State_On)       ? m_tones.selected
                      : is(option, QStyle::State_Sunken) ? m_tones.pressed
                      : isHovered(option)                ? m_tones.hover
                                                         : m_tones.button;
  const bool isMarked = is(option, QStyle::State_On) || is(option, QStyle::State_HasFocus);
  rounded(option.rect, kRadius, ground, isMarked ? m_tones.accent : m_tones.edge, widthOfEdge(option));
}

void FlatPainter::toolButton(const QStyleOption& option) const {
  const bool isEnabled = is(option, QStyle::State_Enabled);
  const QRgb ground = !isEnabled                         ? kNothing
                      : is(option, QStyle::State_On)     ? m_tones.selected
                      : is(option, QStyle::State_Sunken) ? m_tones.pressed
                      : isHovered(option)                ? m_tones.hover
                                                         : kNothing;
  const QRgb border = isEnabled && is(option, QStyle::State_HasFocus) ? m_tones.accent : kNothing;
  if (ground != kNothing || border != kNothing) rounded(option.rect, kRadius, ground, border, widthOfEdge(option));
}

void FlatPainter::toggle(const QStyleOption& option) const {
  const bool isEnabled = is(option, QStyle::State_Enabled);
  const bool isOn = is(option, QStyle::State_On);
  const QRgb ground = isOn                               ? m_tones.selected
                      : !isEnabled                       ? kNothing
                      : is(option, QStyle::State_Sunken) ? m_tones.pressed
                      : isHovered(option)                ? m_tones.hover
                                                         : kNothing;
  const bool isMarked = isEnabled && (isOn || is(option, QStyle::State_HasFocus));
  rounded(option.rect, option.rect.height() / 2, ground, isMarked ? m_tones.accent : m_tones.edge, widthOfEdge(option));
}

void FlatPainter::field(const QStyleOption& option) const {
  const QRgb ground = is(option, QStyle::State_Enabled) ? m_tones.base : m_tones.window;
  rounded(option.rect, kRadius, ground, is(option, QStyle::State_HasFocus) ? m_tones.accent : m_tones.edge,
          widthOfEdge(option));
}

void FlatPainter::ring(const QRect& rect) const {
  rounded(rect, kSmallRadius, kNothing, m_tones.accent, m_tones.ring - 1);
}

void FlatPainter::popup(const QRect& rect) const {
  fill(rect, m_tones.base);
  m_painter.save();
  m_painter.setPen(QColor::fromRgb(m_tones.edge));
  m_painter.drawRect(rect.adjusted(0, 0, -1, -1));
  m_painter.restore();
}

void FlatPainter::dialogEdge(const QRect& rect) const {
  m_painter.save();
  m_painter.setPen(QPen(QColor::fromRgb(m_tones.edge), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  m_painter.drawRect(rect.adjusted(1, 1, -1, -1));
  m_painter.restore();
}

void FlatPainter::tip(const QRect& rect) const {
  fill(rect, m_tones.line);
  fill(rect.adjusted(1, 1, -1, -1), m_tones.tip);
}

void FlatPainter::checkBox(const QStyleOption& option, bool isExclusive) const {
  const bool isEnabled = is(option, QStyle::State_Enabled);
  const bool isChecked = is(option, QStyle::State_On);
  const bool isMarked = isChecked || isHovered(option) || is(option, QStyle::State_HasFocus);
  const QRgb border = !isEnabled ? m_tones.line : isMarked ? m_tones.accent : m_tones.boxEdge;
  const QRgb ground = !isEnabled ? m_tones.window : isChecked ? m_tones.accent : m_tones.base;
  rounded(option.rect, isExclusive ? option.rect.width() / 2.0 : 3, ground, border, widthOfEdge(option));
  if (!isChecked) return;
  const Kept kept(m_painter);
  m_painter.translate(option.rect.topLeft());
  m_painter.scale(option.rect.width() / 16.0, option.rect.height() / 16.0);
  m_painter.setPen(QPen(QColor::fromRgb(isEnabled ? m_tones.onAccent : m_tones.disabled), 2, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
  m_painter.drawPolyline(QPolygonF({QPointF(4, 8.5), QPointF(6.8, 11.2), QPointF(12, 5.2)}));
}

void FlatPainter::chevronDown(const QRect& rect, bool isEnabled) const {
  const Kept kept(m_painter);
  m_painter.translate(QRectF(rect).center());
  m_painter.setPen(QPen(QColor::fromRgb(isEnabled ? m_tones.dimmed : m_tones.disabled), 1.5, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
  m_painter.drawPolyline(QPolygonF({QPointF(-3.5, -1.75), QPointF(0, 1.75), QPointF(3.5, -1.75)}));
}

void FlatPainter::headerSection(const QStyleOption& option) const {
  fill(option.rect, isHovered(option) ? m_tones.hover : m_tones.base);
  fill({option.rect.left(), option.rect.bottom(), option.rect.width(), 1}, m_tones.line);
}

void FlatPainter::tab(const QStyleOption& option) const {
  if (!is(option, QStyle::State_Selected)) return;
  fill({option.rect.left(), option.rect.bottom() - 1, option.rect.width(), 2}, m_tones.accent);
}

void FlatPainter::splitter(const QStyleOption& option) const {
  fill(option.rect, isHovered(option) ? m_tones.accent : m_tones.line);
}

void FlatPainter::scrollHandle(const QRect& handle, bool isHovered) const {
  rounded(handle.adjusted(2, 2, -2, -2), kSmallRadius, isHovered ? m_tones.handleHover : m_tones.edge, kNothing);
}

namespace {

QRect progressRect(const QRect& rect) {
  const int height = std::min(kProgressHeight, rect.height());
  return {rect.left(), rect.top() + (rect.height() - height) / 2, rect.width(), height};
}

}  // namespace

void FlatPainter::progressGroove(const QRect& rect) const {
  rounded(progressRect(rect), kProgressHeight / 2.0, m_tones.line, kNothing);
}

void FlatPainter::progress(const QStyleOptionProgressBar& option) const {
  constexpr double kBusyPart = 0.25;
  const double span = static_cast<double>(option.maximum) - option.minimum;
  double begin = 0;
  double end = 0;
  if (span > 0) {
    end = (static_cast<double>(option.progress) - option.minimum) / span;
  } else {
    const double turn = QTime::currentTime().msec() / 1000.0;
    begin = turn * (1 + kBusyPart) - kBusyPart;
    end = begin + kBusyPart;
  }
  const QRect groove = progressRect(option.rect);
  const int left = qRound(std::clamp(begin, 0.0, 1.0) * groove.width());
  const int right = qRound(std::clamp(end, 0.0, 1.0) * groove.width());
  if (right > left) {
    rounded({groove.left() + left, groove.top(), right - left, groove.height()}, kProgressHeight / 2.0, m_tones.accent,
            kNothing);
  }
}

void FlatPainter::menuBarItem(const QStyleOption& option) const {
  fill(option.rect, m_tones.window);
  if (is(option, QStyle::State_Selected)) rounded(option.rect, kRadius, m_tones.hover, kNothing);
}

void FlatPainter::menuSeparator(const QRect& rect) const {
  fill({rect.left() + 8, rect.center().y(), rect.width() - 16, 1}, m_tones.line);
}

void FlatPainter::menuGround(const QStyleOptionMenuItem& option) const {
  if (is(option, QStyle::State_Selected)) rounded(option.rect, kSmallRadius, m_tones.selected, kNothing);
}

}  // namespace heapscape::gui
