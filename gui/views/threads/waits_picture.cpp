// SPDX-License-Identifier: MIT
#include "views/threads/waits_picture.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/colours.h"
#include "widgets/counted_text.h"
#include "widgets/figures.h"
#include "widgets/fonts.h"
#include "widgets/hidden_contents.h"
#include "widgets/hover_bubble.h"
#include "widgets/picture_actions.h"

namespace heapscape::gui {

namespace {

constexpr double kArrowHead = 7;
constexpr int kBoxLetters = 40;

// What the program calls the thread is contents of the dump.
QString titleOf(const WaitThread& thread) {
  return HiddenContents::areWanted() && thread.managedId != 0 ? QString::number(thread.managedId) : thread.title;
}

}  // namespace

WaitsPicture::WaitsPicture(QWidget* parent) : QWidget(parent), m_bubble(new HoverBubble(this)) {
  setMouseTracking(true);
  setObjectName(QStringLiteral("waits"));
  setAccessibleName(tr("Who waits for whom"));
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paint(painter); }, QStringLiteral("waits"), PictureContents::Hides);
}

void WaitsPicture::show(Waits waits) {
  m_waits = std::move(waits);
  QStringList lines;
  for (std::size_t cycle = 0; cycle < m_waits.cycles.size(); ++cycle) lines << cycleText(cycle);
  for (const WaitThread& thread : m_waits.threads) {
    if (thread.waitsFor) lines << tr("%1 waits for %2").arg(thread.title, m_waits.threads[*thread.waitsFor].title);
  }
  setAccessibleDescription(lines.join(QLatin1Char('\n')));
  layOut();
}

void WaitsPicture::layOut() {
  WaitsScale scale;
  scale.line = std::max(24.0, fontMetrics().height() * 1.6);
  scale.width = fontMetrics().averageCharWidth() * kBoxLetters;
  scale.between = fontMetrics().averageCharWidth() * 8;
  m_geometry = layOutWaits(m_waits, scale);
  m_hovered.reset();
  m_bubble->hide();
  setMinimumSize(m_geometry.size.toSize());
  updateGeometry();
  update();
}

QSize WaitsPicture::sizeHint() const {
  return m_geometry.size.toSize();
}

QString WaitsPicture::cycleText(std::size_t cycle) const {
  QStringList names;
  for (const std::size_t member : m_waits.cycles[cycle]) names << QString::number(m_waits.threads[member].managedId);
  names << names.first();
  return tr("⚠ Deadlock: %1").arg(names.join(QStringLiteral(" → ")));
}

void WaitsPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter);
  if (!m_hovered) return;
  const WaitBox& box = m_geometry.boxes[m_hovered->thread];
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(m_hovered->lock ? box.locks[*m_hovered->lock] : box.box, 4, 4);
}

void WaitsPicture::paint(QPainter& painter) const {
  const Colours colours(palette());
  for (std::size_t cycle = 0; cycle < m_geometry.cycleTitles.size(); ++cycle) paintCycleTitle(painter, colours, cycle);
  for (std::size_t thread = 0; thread < m_geometry.boxes.size(); ++thread) paintBox(painter, colours, thread);
  for (const WaitArrow& arrow : m_geometry.arrows) paintArrow(painter, colours, arrow);
}

void WaitsPicture::paintCycleTitle(QPainter& painter, const Colours& colours, std::size_t cycle) const {
  painter.setPen(colours.warning());
  painter.setFont(scaledFont(font(), 1, QFont::DemiBold));
  const QRectF& area = m_geometry.cycleTitles[cycle];
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   QFontMetrics(painter.font()).elidedText(cycleText(cycle), Qt::ElideRight, qRound(area.width())));
}

void WaitsPicture::paintBox(QPainter& painter, const Colours& colours, std::size_t index) const {
  const WaitThread& thread = m_waits.threads[index];
  const WaitBox& box = m_geometry.boxes[index];
  painter.setPen(thread.cycle ? QPen(colours.warning(), 2) : QPen(colours.outline(), 1));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(box.box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(scaledFont(font(), 1, QFont::DemiBold));
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(box.title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   QFontMetrics(painter.font())
                       .elidedText(tr("Thread %1").arg(titleOf(thread)), Qt::ElideRight, qRound(box.title.width())));
  painter.setFont(font());
  for (std::size_t lock = 0; lock < thread.locks.size(); ++lock) {
    const QRectF area = box.locks[lock];
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.freeSpace());
    painter.drawRoundedRect(area, 4, 4);
    const QRectF text = area.adjusted(8, 0, -8, 0);
    const QString& detail = thread.locks[lock].detail;
    const int used = detail.isEmpty() ? 0 : fontMetrics().horizontalAdvance(detail) + 8;
    painter.setPen(thread.locks[lock].waiting > 0 ? colours.warning() : colours.dimmedText());
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, detail);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(thread.locks[lock].title, Qt::ElideMiddle, qRound(text.width()) - used));
  }
}

void WaitsPicture::paintArrow(QPainter& painter, const Colours& colours, const WaitArrow& arrow) const {
  const QColor colour = arrow.isInCycle ? colours.warning() : colours.dimmedText();
  painter.setPen(QPen(colour, arrow.isInCycle ? 2 : 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(arrow.line);
  const QPointF tip = arrow.line.last();
  const double back = arrow.line[arrow.line.size() - 2].x() < tip.x() ? -kArrowHead : kArrowHead;
  painter.setBrush(colour);
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(QPolygonF{tip, tip + QPointF(back, -kArrowHead / 2), tip + QPointF(back, kArrowHead / 2)});
}

void WaitsPicture::mouseMoveEvent(QMouseEvent* event) {
  const auto spot = waitSpotAt(m_geometry, event->position());
  if (spot != m_hovered) {
    m_hovered = spot;
    setCursor(spot ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
  }
  if (!spot) return m_bubble->hide();
  const WaitThread& thread = m_waits.threads[spot->thread];
  BubbleText text{.swatch = {}, .title = tr("Thread %1").arg(thread.title), .facts = {}};
  if (thread.waitsFor) text.facts << tr("waits for thread %1").arg(m_waits.threads[*thread.waitsFor].title);
  if (!thread.locks.empty()) text.facts << tr("holds %1").arg(countedText(thread.locks.size(), tr("lock")));
  if (spot->lock) {
    const WaitLock& lock = thread.locks[*spot->lock];
    text = {.swatch = {}, .title = lock.title, .facts = {addressText(lock.object)}};
    if (!lock.detail.isEmpty()) text.facts << lock.detail;
  }
  m_bubble->showAt(event->position().toPoint(), text);
}

void WaitsPicture::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const auto spot = waitSpotAt(m_geometry, event->position());
  if (!spot) return;
  const WaitThread& thread = m_waits.threads[spot->thread];
  if (spot->lock) {
    Q_EMIT lockPicked(thread.locks[*spot->lock].identity);
  } else if (thread.address) {
    Q_EMIT threadPicked(thread.address);
  }
}

void WaitsPicture::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hovered.reset();
  m_bubble->hide();
  update();
}

void WaitsPicture::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
