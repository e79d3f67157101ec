// SPDX-License-Identifier: MIT
#include "views/compare/growth_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/compare/comparison_rows.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kNameShare = 0.36;
constexpr double kGap = 8;
constexpr double kBarShare = 0.6;  // of a line's height

}  // namespace

std::vector<GrowthBar> growthBars(const std::vector<engine::TypeChange>& types, std::size_t each) {
  std::vector<GrowthBar> bars;
  for (std::size_t i = 0; i < types.size() && bars.size() < each && types[i].bytes.difference() > 0; ++i)
    bars.push_back({types[i].name, types[i].bytes, static_cast<std::uint32_t>(i)});
  std::vector<GrowthBar> shrunk;
  for (std::size_t i = types.size(); i-- > 0 && shrunk.size() < each && types[i].bytes.difference() < 0;)
    shrunk.push_back({types[i].name, types[i].bytes, static_cast<std::uint32_t>(i)});
  bars.insert(bars.end(), shrunk.begin(), shrunk.end());
  return bars;
}

GrowthPicture layOutGrowth(const std::vector<GrowthBar>& bars, QSizeF size, double lineHeight, double figureWidth) {
  double most = 0;  // of each direction
  double least = 0;
  for (const GrowthBar& bar : bars) {
    most = std::max(most, static_cast<double>(bar.bytes.difference()));
    least = std::max(least, -static_cast<double>(bar.bytes.difference()));
  }
  const double left = std::floor(size.width() * kNameShare) + kGap;
  // Figures stand beyond the ends of the bars, in each direction that there is.
  const double room = size.width() - left - kGap - (most > 0 ? figureWidth : 0) - (least > 0 ? figureWidth : 0);
  const double scale = most + least > 0 ? std::max(room, 1.0) / (most + least) : 0;
  GrowthPicture picture;
  picture.axis = left + (least > 0 ? figureWidth : 0) + std::floor(least * scale);
  double top = 0;
  for (const GrowthBar& bar : bars) {
    if (top + lineHeight > size.height()) break;
    const auto difference = static_cast<double>(bar.bytes.difference());
    const double width = std::max(1.0, std::fabs(difference) * scale);
    GrowthBarShape shape;
    shape.isGrowth = difference >= 0;
    shape.line = {0, top, size.width(), lineHeight};
    shape.name = {kGap, top, left - 2 * kGap, lineHeight};
    const double barHeight = std::floor(lineHeight * kBarShare);
    const double barTop = top + std::floor((lineHeight - barHeight) / 2);
    shape.bar = {shape.isGrowth ? picture.axis : picture.axis - width, barTop, width, barHeight};
    shape.figure = {shape.isGrowth ? shape.bar.right() : shape.bar.left() - figureWidth, top, figureWidth, lineHeight};
    picture.bars.push_back(shape);
    top += lineHeight;
  }
  return picture;
}

namespace {

constexpr double kLeading = 1.6;
constexpr int kSmallestLines = 6;
constexpr int kFigureGap = 8;

QString factOf(const GrowthBar& bar) {
  return u"%1: %2 before, %3 after"_s.arg(differenceText(bar.bytes, true), exactBytesText(bar.bytes.before),
                                          exactBytesText(bar.bytes.after));
}

}  // namespace

GrowthChart::GrowthChart(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(u"growthChart"_s);
  setAccessibleName(u"Types that grew and shrunk most"_s);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  addPictureActions(
      this, [this](QPainter& painter, QSize size) { paint(painter, size); }, u"growth"_s, PictureContents::None);
}

void GrowthChart::show(std::vector<GrowthBar> bars) {
  m_bars = std::move(bars);
  setCurrent(-1);
  QStringList lines;
  for (const GrowthBar& bar : m_bars) lines << u"%1 %2"_s.arg(fromEngine(bar.type), differenceText(bar.bytes, true));
  setAccessibleDescription(lines.join(u", "_s));
  tellItemsChanged();
  updateGeometry();
  update();
}

double GrowthChart::lineHeight() const {
  return std::max(24.0, std::ceil(fontMetrics().height() * kLeading));
}

QSize GrowthChart::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 60, static_cast<int>(lineHeight() * static_cast<double>(m_bars.size()))};
}

QSize GrowthChart::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 36, static_cast<int>(lineHeight() * kSmallestLines)};
}

GrowthPicture GrowthChart::layOut(QSize size) const {
  int figure = 0;
  for (const GrowthBar& bar : m_bars)
    figure = std::max(figure, fontMetrics().horizontalAdvance(differenceText(bar.bytes, true)));
  return layOutGrowth(m_bars, size, lineHeight(), figure + 2.0 * kFigureGap);
}

void GrowthChart::paint(QPainter& painter, QSize size) const {
  const Colours colours(palette());
  const GrowthPicture picture = layOut(size);
  painter.fillRect(QRect({}, size), colours.surface());
  painter.setFont(font());
  for (std::size_t i = 0; i < picture.bars.size(); ++i) {
    const GrowthBarShape& shape = picture.bars[i];
    const QColor colour = shape.isGrowth ? colours.warning() : colours.of(engine::Generation::Gen0);
    painter.fillRect(shape.bar, shape.isGrowth ? colour : mixed(colour, colours.surface(), 0.35));
    if (!shape.isGrowth) {  // an outline beside the colour, for what is less than it was
      painter.setPen(colour);
      painter.drawRect(shape.bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.setPen(palette().color(QPalette::Text));
    const QString name =
        fontMetrics().elidedText(shortTypeName(m_bars[i].type), Qt::ElideMiddle, static_cast<int>(shape.name.width()));
    painter.drawText(shape.name, Qt::AlignRight | Qt::AlignVCenter, name);
    painter.setPen(colours.dimmedText());
    painter.drawText(shape.figure.adjusted(kFigureGap, 0, -kFigureGap, 0),
                     (shape.isGrowth ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                     differenceText(m_bars[i].bytes, true));
  }
  if (picture.bars.empty()) return;
  painter.setPen(colours.outline());
  const double axis = std::floor(picture.axis) + 0.5;
  painter.drawLine(QPointF(axis, 0), QPointF(axis, picture.bars.back().line.bottom()));
}

void GrowthChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter, size());
  if (m_current < 0) return;
  const GrowthPicture picture = layOut(size());
  if (static_cast<std::size_t>(m_current) >= picture.bars.size()) return;
  const QRectF line = picture.bars[static_cast<std::size_t>(m_current)].line;
  QColor tint = palette().color(QPalette::Highlight);
  tint.setAlphaF(0.10F);
  painter.fillRect(line, tint);
  if (!hasFocus()) return;
  painter.setPen(focusRing(palette()));
  painter.drawRect(line.adjusted(2, 2, -2, -2));
}

void GrowthChart::setCurrent(int bar) {
  m_current = bar;
  setCursor(bar < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
  tellCurrent();
}

BubbleText GrowthChart::itemText(std::size_t item) const {
  return {.swatch = {}, .title = fromEngine(m_bars[item].type), .facts = {factOf(m_bars[item])}};
}

// Small pictures leave out the last bars.
QRectF GrowthChart::itemRect(std::size_t item) const {
  const GrowthPicture picture = layOut(size());
  return item < picture.bars.size() ? picture.bars[item].line : QRectF();
}

std::optional<std::size_t> GrowthChart::currentItem() const {
  return m_current < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(m_current));
}

void GrowthChart::pick(int bar) {
  if (bar >= 0) Q_EMIT picked(m_bars[static_cast<std::size_t>(bar)].row);
}

int GrowthChart::barAt(QPointF point) const {
  const GrowthPicture picture = layOut(size());
  for (std::size_t i = 0; i < picture.bars.size(); ++i)
    if (picture.bars[i].line.contains(point)) return static_cast<int>(i);
  return -1;
}

void GrowthChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pick(barAt(event->position()));
}

void GrowthChart::mouseMoveEvent(QMouseEvent* event) {
  setCurrent(barAt(event->position()));
}

void GrowthChart::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  setCurrent(-1);
}

void GrowthChart::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  setCurrent(-1);
}

void GrowthChart::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

bool GrowthChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int index = barAt(help->pos());
  if (index < 0) {
    QToolTip::hideText();
    return true;
  }
  const GrowthBar& bar = m_bars[static_cast<std::size_t>(index)];
  QToolTip::showText(help->globalPos(), fromEngine(bar.type) + QLatin1Char('\n') + factOf(bar), this);
  return true;
}

}  // namespace heapscape::gui
