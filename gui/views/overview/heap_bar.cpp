// SPDX-License-Identifier: MIT
#include "views/overview/heap_bar.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kLeastPart = 4;  // wide enough for a line of the hatch
constexpr int kHeapBarGap = 12;
constexpr double kHeapBarThickness = 0.95;  // of a line of text

}  // namespace

HeapBarParts heapBarParts(const HeapChange& change, const QRectF& bar) {
  HeapBarParts parts{.stays = bar, .mayGo = {bar.topRight(), QSizeF(0, bar.height())}, .goes = {}};
  parts.goes = parts.mayGo;
  if (change.now == 0 || !change.goes) return parts;
  const double whole = static_cast<double>(change.now);
  const auto width = [&](std::uint64_t bytes) {
    const double wide = std::min(1.0, static_cast<double>(bytes) / whole) * bar.width();
    return bytes == 0 ? 0.0 : std::max(std::min(kLeastPart, bar.width() / 3), wide);
  };
  const double goes = std::min(bar.width(), width(*change.goes));
  const double mayGo = std::min(bar.width() - goes, width(change.mayGo));
  parts.goes.setLeft(bar.right() - goes);
  parts.goes.setRight(bar.right());
  parts.mayGo.setLeft(parts.goes.left() - mayGo);
  parts.mayGo.setRight(parts.goes.left());
  parts.stays.setRight(parts.mayGo.left());
  return parts;
}

HeapBar::HeapBar(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(u"heapBar"_s);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::TabFocus);
}

void HeapBar::setChange(const HeapChange& change) {
  m_change = change;
  QString text = u"The heap now: %1"_s.arg(exactBytesText(change.now));
  if (change.goes) {
    text += u"\nAfter all that can be done: %1"_s.arg(afterText());
    if (change.mayGo > 0) text += u"\n%1 more may go with it"_s.arg(bytesText(change.mayGo));
  }
  setToolTip(change.now > 0 ? text : QString());
  setAccessibleName(text);
  m_current.reset();
  tellItemsChanged();
  update();
}

QString HeapBar::afterText() const {
  if (!m_change.goes) return {};
  const QString bytes = bytesText(m_change.now - std::min(m_change.now, *m_change.goes));
  return m_change.isLeast ? u"at most %1"_s.arg(bytes) : bytes;
}

int HeapBar::lineHeight() const {
  return std::max(24, qRound(fontMetrics().height() * 1.6));
}

QSize HeapBar::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 60, 2 * lineHeight()};
}

QSize HeapBar::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 36, 2 * lineHeight()};
}

std::vector<HeapBar::Item> HeapBar::items() const {
  if (m_change.now == 0) return {};
  const auto item = [](const QString& name, const QString& figure, const QRectF& rect) {
    return Item{.text = {.swatch = {}, .title = name, .facts = {figure}}, .rect = rect};
  };
  std::vector<Item> items{item(u"Now"_s, bytesText(m_change.now), barIn(lineOf(0)))};
  if (!m_change.goes) return items;
  const HeapBarParts parts = heapBarParts(m_change, barIn(lineOf(1)));
  items.push_back(item(u"After"_s, afterText(), parts.stays));
  if (m_change.mayGo > 0) items.push_back(item(u"May go with it"_s, bytesText(m_change.mayGo), parts.mayGo));
  if (*m_change.goes > 0) items.push_back(item(u"Goes"_s, bytesText(*m_change.goes), parts.goes));
  return items;
}

QRectF HeapBar::lineOf(int number) const {
  return {0.0, static_cast<double>(number * lineHeight()), static_cast<double>(width()),
          static_cast<double>(lineHeight())};
}

QRectF HeapBar::barIn(const QRectF& line) const {
  const double name = fontMetrics().horizontalAdvance(u"After"_s) + kHeapBarGap;
  const double figure = fontMetrics().horizontalAdvance(u"at most 888.8 MB"_s) + kHeapBarGap;
  const double thickness = fontMetrics().height() * kHeapBarThickness;
  return {line.left() + name, line.center().y() - thickness / 2, std::max(1.0, line.width() - name - figure),
          thickness};
}

void HeapBar::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
}

void HeapBar::keyPressEvent(QKeyEvent* event) {
  if (itemCount() == 0 || !takesKey(event->key())) QWidget::keyPressEvent(event);
}

void HeapBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  const QRectF first = lineOf(0);
  const QRectF second = lineOf(1);
  const auto say = [&](const QRectF& line, const QString& name, const QString& figure) {
    painter.setPen(colours.dimmedText());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure);
  };
  say(first, u"Now"_s, m_change.now > 0 ? bytesText(m_change.now) : u"…"_s);
  say(second, u"After"_s, m_change.goes ? afterText() : u"…"_s);
  const QRectF now = barIn(first);
  painter.fillRect(now, m_change.now > 0 ? colours.heatStep(2) : colours.gridLine());
  const QRectF after = barIn(second);
  if (!m_change.goes) {
    painter.setPen(QPen(colours.outline(), 1, Qt::DashLine));
    painter.drawRect(after.adjusted(0.5, 0.5, -0.5, -0.5));
    paintFocus(painter);
    return;
  }
  const HeapBarParts parts = heapBarParts(m_change, after);
  painter.fillRect(parts.stays, colours.heatStep(2));
  painter.setRenderHint(QPainter::Antialiasing);
  if (parts.goes.width() > 0) paintHatch(painter, parts.goes, colours);
  if (parts.mayGo.width() > 0) {
    painter.setPen(QPen(colours.padding(), 1, Qt::DashLine));
    painter.drawRect(parts.mayGo.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  paintFocus(painter);
}

// Until an item is gone to, around both bars.
void HeapBar::paintFocus(QPainter& painter) const {
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect((m_current ? itemRect(*m_current) : QRectF(rect())).adjusted(1, 1, -2, -2));
}

}  // namespace heapscape::gui
