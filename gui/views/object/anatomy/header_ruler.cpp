// SPDX-License-Identifier: MIT
#include "views/object/anatomy/header_ruler.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/object/anatomy/header_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr int kMostWidth = 1280;  // wider cells are not easier to read
constexpr int kLeastWidth = 480;

}  // namespace

HeaderRuler::HeaderRuler(QWidget* parent) : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setObjectName(QStringLiteral("headerRuler"));
  setAccessibleName(QStringLiteral("Bits of the object header"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paintPicture(painter); }, QStringLiteral("header"),
      PictureContents::None);
}

void HeaderRuler::show(std::optional<engine::ObjectHeader> header) {
  m_header = std::move(header);
  m_hovered.reset();
  m_current.reset();
  m_bubble->hide();
  QStringList spoken;
  if (m_header) {
    for (const engine::HeaderBits& bits : m_header->bits) {
      if (!isIdle(bits)) spoken << headerBitsText(bits);
    }
  }
  setAccessibleDescription(spoken.join(QStringLiteral(", ")));
  m_geometry = layOutFor(width());
  tellItemsChanged();
  updateGeometry();
  update();
}

RulerGeometry HeaderRuler::layOutFor(int width) const {
  if (!m_header) return {};
  const QFontMetricsF font(this->font());
  RulerMetrics metrics;
  metrics.width = std::clamp(width, kLeastWidth, kMostWidth);
  metrics.cellHeight = std::ceil(font.height() * 1.7);
  metrics.numberHeight = std::ceil(font.height() * 1.2);
  metrics.lineHeight = std::ceil(font.height() * 1.35);
  std::vector<double> widths;
  for (const engine::HeaderBits& bits : m_header->bits) {
    widths.push_back(std::ceil(font.horizontalAdvance(headerBitsText(bits))) + 2);
  }
  return layOutRuler(m_header->bits, widths, metrics);
}

int HeaderRuler::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(layOutFor(width).size.height()));
}

QSize HeaderRuler::sizeHint() const {
  return {kMostWidth, heightForWidth(std::max(width(), kLeastWidth))};
}

QSize HeaderRuler::minimumSizeHint() const {
  return {kLeastWidth, heightForWidth(std::max(width(), kLeastWidth))};
}

QColor HeaderRuler::colourOf(const engine::HeaderBits& bits) const {
  const Colours colours(palette());
  return isIdle(bits) ? colours.freeSpace() : mixed(palette().color(QPalette::Highlight), colours.surface(), 0.28);
}

void HeaderRuler::paintGroup(QPainter& painter, std::size_t number) const {
  const Colours colours(palette());
  const engine::HeaderBits& bits = m_header->bits[number];
  const RulerGroup& group = m_geometry.groups[number];
  const QColor text = isIdle(bits) ? colours.dimmedText() : palette().color(QPalette::Text);
  const bool isHovered = m_hovered == number;
  painter.setPen(QPen(isHovered ? palette().color(QPalette::Highlight) : colours.outline(), isHovered ? 2 : 1));
  painter.setBrush(colourOf(bits));
  painter.drawRoundedRect(group.cells.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);

  painter.setFont(fixedFont(font()));
  painter.setPen(text);
  for (int bit = bits.first; bit < bits.first + bits.count && bit < 32; ++bit) {
    const bool isSet = m_header->value >> bit & 1u;
    painter.drawText(m_geometry.bits[static_cast<std::size_t>(bit)], Qt::AlignCenter,
                     isSet ? QStringLiteral("1") : QStringLiteral("0"));
  }
  painter.setPen(QPen(colours.outline(), 1));
  painter.drawLine(group.from, group.to);
  if (group.isBeside) painter.drawLine(group.to, QPointF(group.label.left() - 3, group.to.y()));
  painter.setFont(font());
  painter.setPen(text);
  painter.drawText(group.label, Qt::AlignCenter, headerBitsText(bits));
}

void HeaderRuler::paintPicture(QPainter& painter) const {
  if (!m_header) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(scaledFont(font(), 0.8));
  painter.setPen(Colours(palette()).dimmedText());
  for (std::size_t bit = 0; bit < m_geometry.bits.size(); ++bit) {
    const QRectF& cell = m_geometry.bits[bit];
    painter.drawText(QRectF(cell.left(), 0, cell.width(), cell.top()), Qt::AlignCenter, QString::number(bit));
  }
  for (std::size_t number = 0; number < m_geometry.groups.size(); ++number) paintGroup(painter, number);
}

void HeaderRuler::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintPicture(painter);
  if (!hasFocus()) return;
  if (!m_current) return paintFocusRing(painter, rect(), palette());
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(itemRect(*m_current).adjusted(1, 1, -1, -1), 3, 3);
}

BubbleText HeaderRuler::itemText(std::size_t item) const {
  const engine::HeaderBits& bits = m_header->bits[item];
  QStringList facts;
  facts << (bits.count == 1 ? QStringLiteral("bit %1").arg(bits.first)
                            : QStringLiteral("bits %1 to %2").arg(bits.first).arg(bits.first + bits.count - 1));
  facts << QStringLiteral("value %1 (0x%2)").arg(countText(bits.value), QString::number(bits.value, 16));
  if (!bits.meaning.empty()) facts << fromEngine(bits.meaning);
  return {.swatch = colourOf(bits), .title = headerBitsName(bits), .facts = facts};
}

void HeaderRuler::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
}

void HeaderRuler::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

void HeaderRuler::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_geometry = layOutFor(width());
}

void HeaderRuler::hoverAt(const QPoint& point) {
  std::optional<std::size_t> hovered;
  for (std::size_t number = 0; number < m_geometry.groups.size(); ++number) {
    const RulerGroup& group = m_geometry.groups[number];
    if (group.cells.contains(point) || group.label.contains(point)) hovered = number;
  }
  if (hovered != m_hovered) update();
  m_hovered = hovered;
  if (!hovered) return m_bubble->hide();
  m_bubble->showAt(point, itemText(*hovered));
}

void HeaderRuler::mouseMoveEvent(QMouseEvent* event) {
  hoverAt(event->pos());
}

void HeaderRuler::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  hoverAt({-1, -1});
}

void HeaderRuler::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
  m_geometry = layOutFor(width());
  update();
}

}  // namespace heapscape::gui
