// SPDX-License-Identifier: MIT
#include "views/threads/waits_picture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

constexpr double kArrowHead = 7;
constexpr int kFewestLetters = 26;  // that a box has room for
constexpr int kMostLetters = 72;    // longer texts are shortened, and whole in the bubble
constexpr int kLockMargin = 8;      // of a lock's text
constexpr std::size_t kShownMembers = 8;

// What the program calls the thread is contents of the dump.
QString titleOf(const WaitNode& node) {
  if (node.kind != WaitNodeKind::Thread) return node.title;
  const bool isHidden = HiddenContents::areWanted() && node.managedId != 0;
  return u"Thread %1"_s.arg(isHidden ? QString::number(node.managedId) : node.title);
}

QFont titleFont(const QFont& font) {
  return scaledFont(font, 1, QFont::DemiBold);
}

void drawLine(QPainter& painter, const QRectF& area, const QString& text, Qt::TextElideMode elide = Qt::ElideRight) {
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   painter.fontMetrics().elidedText(text, elide, static_cast<int>(area.width())));
}

}  // namespace

WaitsPicture::WaitsPicture(QWidget* parent) : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setObjectName(u"waits"_s);
  setAccessibleName(u"Waits and deadlocks"_s);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paint(painter); }, u"waits"_s, PictureContents::Hides);
}

void WaitsPicture::show(Waits waits) {
  m_waits = std::move(waits);
  QStringList lines;
  for (std::size_t cycle = 0; cycle < m_waits.cycles.size(); ++cycle) lines << wholeText(cycle);
  m_spots.clear();
  m_current.reset();
  for (std::size_t number = 0; number < m_waits.nodes.size(); ++number) {
    const WaitNode& node = m_waits.nodes[number];
    m_spots.push_back({.node = number, .lock = {}});
    for (std::size_t lock = 0; lock < node.locks.size(); ++lock) m_spots.push_back({.node = number, .lock = lock});
    if (node.waitsFor) lines << u"%1 waits for %2"_s.arg(node.title, m_waits.nodes[*node.waitsFor].title);
  }
  setAccessibleDescription(lines.join(QLatin1Char('\n')));
  layOut();
  tellItemsChanged();
}

void WaitsPicture::setRoom(const QSize& room) {
  if (room == m_room) return;
  m_room = room;
  layOut();
}

void WaitsPicture::layOut() {
  WaitsScale scale;
  scale.room = m_room;
  const QFontMetrics title(titleFont(font()));
  scale.line = std::max(24.0, fontMetrics().height() * 1.6);
  scale.detail = fontMetrics().height() * 1.3;
  scale.width = fontMetrics().averageCharWidth() * kFewestLetters;
  scale.between = fontMetrics().averageCharWidth() * 8;
  scale.contentWidth = [this](const WaitNode& node) { return widthOf(node); };
  scale.cycleTitleWidth = [&](std::size_t cycle) {
    return title.horizontalAdvance(cycleText(cycle, kShownMembers)) + 2;
  };
  m_geometry = layOutWaits(m_waits, scale);
  m_hovered.reset();
  m_bubble->hide();
  setMinimumSize(m_geometry.size.toSize());
  updateGeometry();
  update();
}

// One more for what rounding takes.
double WaitsPicture::widthOf(const WaitNode& node) const {
  int width = QFontMetrics(titleFont(font())).horizontalAdvance(titleOf(node));
  for (const QString& line : node.lines) width = std::max(width, fontMetrics().horizontalAdvance(line));
  for (const WaitLock& lock : node.locks) {
    const int detail = lock.detail.isEmpty() ? 0 : fontMetrics().horizontalAdvance(lock.detail) + 2 * kLockMargin;
    width = std::max(width, fontMetrics().horizontalAdvance(lock.title) + detail + 2 * kLockMargin);
  }
  return std::min(width + 1, fontMetrics().averageCharWidth() * kMostLetters);
}

QSize WaitsPicture::sizeHint() const {
  return m_geometry.size.toSize();
}

QString WaitsPicture::cycleText(std::size_t cycle, std::size_t most) const {
  const std::vector<std::size_t>& members = m_waits.cycles[cycle];
  QStringList names;
  for (const std::size_t member : members) {
    if (static_cast<std::size_t>(names.size()) == most) {
      names << u"%1 more"_s.arg(countText(members.size() - most));
      break;
    }
    const WaitNode& node = m_waits.nodes[member];
    names << (node.kind == WaitNodeKind::Thread ? QString::number(node.managedId) : node.title);
  }
  names << names.first();
  return u"⚠ Deadlock: %1"_s.arg(names.join(u" → "_s));
}

void WaitsPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter);
  painter.setBrush(Qt::NoBrush);
  const auto outline = [&](const WaitSpot& spot, const QPen& pen) {
    painter.setPen(pen);
    painter.drawRoundedRect(rectOf(spot), 4, 4);
  };
  if (m_hovered) outline(*m_hovered, QPen(palette().color(QPalette::Highlight), 2));
  if (m_current && hasFocus()) outline(m_spots[*m_current], focusRing(palette()));
}

QRectF WaitsPicture::rectOf(const WaitSpot& spot) const {
  const WaitBox& box = m_geometry.boxes[spot.node];
  return spot.lock ? box.locks[*spot.lock] : box.box;
}

void WaitsPicture::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
}

void WaitsPicture::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

void WaitsPicture::paint(QPainter& painter) const {
  const Colours colours(palette());
  for (std::size_t cycle = 0; cycle < m_geometry.cycleTitles.size(); ++cycle) paintCycleTitle(painter, colours, cycle);
  for (std::size_t node = 0; node < m_geometry.boxes.size(); ++node) paintBox(painter, colours, node);
  for (const WaitArrow& arrow : m_geometry.arrows) paintArrow(painter, colours, arrow);
}

void WaitsPicture::paintCycleTitle(QPainter& painter, const Colours& colours, std::size_t cycle) const {
  painter.setPen(colours.warning());
  painter.setFont(titleFont(font()));
  drawLine(painter, m_geometry.cycleTitles[cycle], cycleText(cycle, kShownMembers));
}

void WaitsPicture::paintBox(QPainter& painter, const Colours& colours, std::size_t index) const {
  const WaitNode& node = m_waits.nodes[index];
  const WaitBox& box = m_geometry.boxes[index];
  const bool isThread = node.kind == WaitNodeKind::Thread;
  QPen edge = node.cycle ? QPen(colours.warning(), 2) : QPen(isThread ? colours.outline() : colours.dimmedText(), 1);
  if (!isThread) edge.setStyle(Qt::DashLine);
  painter.setPen(edge);
  painter.setBrush(isThread ? palette().color(QPalette::Base) : colours.surface());
  painter.drawRoundedRect(box.box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(titleFont(font()));
  painter.setPen(palette().color(QPalette::Text));
  drawLine(painter, box.title, titleOf(node));
  painter.setFont(font());
  painter.setPen(colours.dimmedText());
  for (std::size_t line = 0; line < box.lines.size(); ++line)
    drawLine(painter, box.lines[line], node.lines[static_cast<qsizetype>(line)], Qt::ElideMiddle);
  for (std::size_t lock = 0; lock < node.locks.size(); ++lock)
    paintLock(painter, colours, node.locks[lock], box.locks[lock]);
}

void WaitsPicture::paintLock(QPainter& painter, const Colours& colours, const WaitLock& lock,
                             const QRectF& area) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.freeSpace());
  painter.drawRoundedRect(area, 4, 4);
  QRectF text = area.adjusted(kLockMargin, 0, -kLockMargin, 0);
  painter.setPen(lock.waiting > 0 ? colours.warning() : colours.dimmedText());
  painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, lock.detail);
  if (!lock.detail.isEmpty()) text.setRight(text.right() - fontMetrics().horizontalAdvance(lock.detail) - kLockMargin);
  painter.setPen(palette().color(QPalette::Text));
  drawLine(painter, text, lock.title, Qt::ElideMiddle);
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
  m_bubble->showOrHide(event->position(), spot ? std::optional(bubbleText(*spot)) : std::nullopt);
  if (spot == m_hovered) return;
  m_hovered = spot;
  update();
}

BubbleText WaitsPicture::bubbleText(const WaitSpot& spot) const {
  const WaitNode& node = m_waits.nodes[spot.node];
  if (spot.lock) {
    const WaitLock& lock = node.locks[*spot.lock];
    BubbleText text{.swatch = {}, .title = lock.title, .facts = {addressText(lock.object)}};
    if (!lock.detail.isEmpty()) text.facts << lock.detail;
    return text;
  }
  BubbleText text{.swatch = {}, .title = titleOf(node), .facts = node.facts};
  if (node.waitsFor && node.kind == WaitNodeKind::Thread)
    text.facts << u"waits for %1"_s.arg(titleOf(m_waits.nodes[*node.waitsFor]));
  if (!node.locks.empty()) text.facts << u"holds %1"_s.arg(countedText(node.locks.size(), u"lock"_s));
  if (node.cycle) text.facts << wholeText(*node.cycle);
  return text;
}

void WaitsPicture::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    QWidget::mousePressEvent(event);
    return;
  }
  if (const auto spot = waitSpotAt(m_geometry, event->position())) press(*spot);
}

void WaitsPicture::press(const WaitSpot& spot) {
  const WaitNode& node = m_waits.nodes[spot.node];
  if (spot.lock) {
    Q_EMIT lockPicked(node.locks[*spot.lock].identity);
  } else if (node.kind != WaitNodeKind::Thread) {
    Q_EMIT objectPicked(node.address);
  } else if (node.address) {
    Q_EMIT threadPicked(node.address);
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

WaitsPanel::WaitsPanel(QWidget* parent)
    : QWidget(parent),
      m_picture(new WaitsPicture(this)),
      m_scroll(new QScrollArea(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_scroll);
}

void WaitsPanel::show(Waits waits) {
  if (waits.isEmpty()) {
    m_state->showEmpty(u"Nobody waits"_s, u"No thread holds a lock, and none waits for a lock, a task or an event."_s);
    m_pages->setCurrentWidget(m_state);
  } else {
    m_pages->setCurrentWidget(m_scroll);
  }
  m_picture->show(std::move(waits));
}

// Whether there is a scroll bar follows from what is laid out, and must not change that.
void WaitsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
  m_picture->setRoom(size() - QSize(bar, 0));
}

void WaitsPanel::showWaiting(const QString& text) {
  m_state->showLoading(text);
  m_pages->setCurrentWidget(m_state);
}

void WaitsPanel::clear() {
  m_picture->show({});
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see who waits for whom."_s);
  m_pages->setCurrentWidget(m_state);
}

}  // namespace heapscape::gui
