// SPDX-License-Identifier: MIT
#include "views/overview/top_types_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr double kNameShare = 0.5;
constexpr double kGap = 12;
constexpr double kTopTypesGeometryMargin = 8;
constexpr double kTopTypesGeometryBarHeight = 0.5;  // of the row
constexpr double kThinnestBar = 2;

QStringList factsOf(const TopType& type) {
  QStringList lines{u"%1, %2"_s.arg(countedText(type.objects, u"object"_s), exactBytesText(type.bytes))};
  if (type.garbageBytes)
    lines << u"garbage: %1, %2 of them"_s.arg(bytesText(*type.garbageBytes),
                                              percentText(*type.garbageBytes, type.bytes));
  for (const engine::Generation generation : engine::kGenerations) {
    const std::uint64_t bytes = type.generationBytes[static_cast<std::size_t>(generation)];
    if (bytes > 0) lines << u"%1: %2"_s.arg(generationText(generation), bytesText(bytes));
  }
  return lines;
}

QString tipOf(const TopType& type) {
  return (QStringList(type.name) + factsOf(type)).join(QLatin1Char('\n'));
}

}  // namespace

std::vector<TopTypeBar> topTypeBars(const std::vector<TopType>& types, double width, double rowHeight,
                                    double figureWidth) {
  std::uint64_t most = 1;
  for (const TopType& type : types) most = std::max(most, type.bytes);
  const double nameWidth = std::max(0.0, (width - figureWidth - 2 * kTopTypesGeometryMargin) * kNameShare);
  const double barLeft = kTopTypesGeometryMargin + nameWidth + kGap;
  const double barRoom = std::max(0.0, width - kTopTypesGeometryMargin - figureWidth - kGap - barLeft);

  std::vector<TopTypeBar> bars;
  bars.reserve(types.size());
  for (const TopType& type : types) {
    const double top = rowHeight * static_cast<double>(bars.size());
    TopTypeBar bar;
    bar.row = QRectF(0, top, width, rowHeight);
    bar.name = QRectF(kTopTypesGeometryMargin, top, nameWidth, rowHeight);
    bar.figure = QRectF(width - kTopTypesGeometryMargin - figureWidth, top, figureWidth, rowHeight);
    const double length = std::max(kThinnestBar, barRoom * static_cast<double>(type.bytes) / static_cast<double>(most));
    const double garbage =
        type.bytes == 0 ? 0
                        : length * static_cast<double>(type.garbageBytes.value_or(0)) / static_cast<double>(type.bytes);
    const double barTop = top + rowHeight * (1 - kTopTypesGeometryBarHeight) / 2;
    const double height = rowHeight * kTopTypesGeometryBarHeight;
    bar.live = QRectF(barLeft, barTop, length - garbage, height);
    bar.garbage = QRectF(bar.live.right(), barTop, garbage, height);
    bars.push_back(std::move(bar));
  }
  return bars;
}

TopTypesChart::TopTypesChart(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(u"Largest types"_s);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { draw(painter, -1); }, u"largest-types"_s, PictureContents::None);
}

void TopTypesChart::setTypes(std::vector<TopType> types) {
  m_types = std::move(types);
  m_current = -1;
  tellItemsChanged();
  updateGeometry();
  update();
}

int TopTypesChart::rowHeight() const {
  return qMax(24, qRound(fontMetrics().height() * 1.6));
}

std::vector<TopTypeBar> TopTypesChart::bars() const {
  return topTypeBars(m_types, width(), rowHeight(), fontMetrics().horizontalAdvance(u"88,888 KB"_s));
}

QSize TopTypesChart::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 72, rowHeight() * static_cast<int>(m_types.size())};
}

QSize TopTypesChart::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, sizeHint().height()};
}

int TopTypesChart::rowAt(const QPoint& position) const {
  if (!rect().contains(position)) return -1;
  const int row = position.y() / rowHeight();
  return row < static_cast<int>(m_types.size()) ? row : -1;
}

void TopTypesChart::setCurrent(int row) {
  if (row == m_current) return;
  m_current = row;
  setCursor(row < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
  tellCurrent();
}

BubbleText TopTypesChart::itemText(std::size_t item) const {
  return {.swatch = {}, .title = m_types[item].name, .facts = factsOf(m_types[item])};
}

std::optional<std::size_t> TopTypesChart::currentItem() const {
  return m_current < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(m_current));
}

void TopTypesChart::pick(int row) {
  if (row >= 0) Q_EMIT typePicked(m_types[static_cast<std::size_t>(row)].methodTable);
}

void TopTypesChart::mouseMoveEvent(QMouseEvent* event) {
  setCurrent(rowAt(event->pos()));
}

void TopTypesChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pick(rowAt(event->pos()));
}

void TopTypesChart::leaveEvent(QEvent*) {
  setCurrent(-1);
}

void TopTypesChart::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

bool TopTypesChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int row = rowAt(help->pos());
  QToolTip::showText(help->globalPos(), row < 0 ? QString() : tipOf(m_types[static_cast<std::size_t>(row)]), this);
  return true;
}

void TopTypesChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  draw(painter, m_current);
  if (!hasFocus() || m_current < 0) return;
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(bars()[static_cast<std::size_t>(m_current)].row.adjusted(2, 2, -2, -2), 5, 5);
}

void TopTypesChart::draw(QPainter& painter, int current) const {
  const Colours colours(palette());
  const std::vector<TopTypeBar> bars = this->bars();
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const TopTypeBar& bar = bars[i];
    if (static_cast<int>(i) == current) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(palette().color(QPalette::Midlight));
      painter.drawRoundedRect(bar.row, 5, 5);
    }
    drawName(painter, bar.name, m_types[i]);
    painter.drawText(bar.figure, Qt::AlignRight | Qt::AlignVCenter, bytesText(m_types[i].bytes));
    painter.fillRect(bar.live, m_types[i].garbageBytes ? colours.live() : colours.heatStep(1));
    painter.fillRect(bar.garbage, colours.garbageBrush(colours.live()));
  }
}

// The namespace dimmed, as in the tables of types.
void TopTypesChart::drawName(QPainter& painter, const QRectF& area, const TopType& type) const {
  const int room = static_cast<int>(area.width());
  const ElidedName name = elideName(type.name, type.prefixLength, room, font(), type.shortName);
  painter.setPen(Colours(palette()).dimmedText());
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, name.prefix);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(area.adjusted(fontMetrics().horizontalAdvance(name.prefix), 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, name.rest);
}

}  // namespace heapscape::gui
