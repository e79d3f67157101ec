// SPDX-License-Identifier: MIT
#include "views/object/anatomy/header_ruler.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kBits = 32;
constexpr double kGroupGap = 2;  // between cells of different groups
constexpr double kTick = 10;     // from a line to the name beside it

QRectF cellsOf(const std::vector<QRectF>& bits, const engine::HeaderBits& group) {
  const int lowest = std::min<int>(group.first, kBits - 1);
  const int highest = std::clamp(group.first + group.count - 1, lowest, kBits - 1);
  const QRectF cells = bits[static_cast<std::size_t>(lowest)].united(bits[static_cast<std::size_t>(highest)]);
  return cells.adjusted(kGroupGap / 2, 0, -kGroupGap / 2, 0);
}

}  // namespace

RulerGeometry layOutRuler(const std::vector<engine::HeaderBits>& groups, const std::vector<double>& labelWidths,
                          const RulerMetrics& metrics) {
  RulerGeometry geometry;
  const double cell = (metrics.width - 2 * metrics.margin) / kBits;
  for (int bit = 0; bit < kBits; ++bit) {
    const double left = metrics.margin + (kBits - 1 - bit) * cell;
    geometry.bits.emplace_back(left, metrics.numberHeight, cell, metrics.cellHeight);
  }
  const double below = metrics.numberHeight + metrics.cellHeight + metrics.lineHeight / 2;
  std::vector<double> free;  // by line: up to where nothing stands yet
  geometry.groups.resize(groups.size());
  // From the right: a name that is wider than its bits stands beside its line, below the names to its right, so that
  // no line crosses a name.
  for (std::size_t number = groups.size(); number-- > 0;) {
    RulerGroup& group = geometry.groups[number];
    group.cells = cellsOf(geometry.bits, groups[number]);
    const double middle = group.cells.center().x();
    const double width = labelWidths[number];
    const bool fits = width <= group.cells.width();
    const double rightmost = std::max(metrics.margin, metrics.width - metrics.margin - width);
    const double left = std::min(fits ? middle - width / 2 : middle + kTick, rightmost);
    std::size_t line = 0;
    while (line < free.size() && left + width + metrics.gap > free[line]) ++line;
    if (line == free.size()) free.push_back(metrics.width);
    for (std::size_t above = 0; above <= line; ++above) free[above] = std::min(free[above], std::min(left, middle));
    group.label = {left, below + static_cast<double>(line) * metrics.lineHeight, width, metrics.lineHeight};
    group.isBeside = !fits;
    group.from = {middle, group.cells.bottom()};
    group.to = {middle, fits ? group.label.top() : group.label.center().y()};
  }
  geometry.size = {metrics.width, below + static_cast<double>(free.size()) * metrics.lineHeight + metrics.margin};
  return geometry;
}

namespace {

using engine::HeaderBits;
using engine::HeaderKind;
using engine::ObjectDetails;

constexpr std::array<std::pair<std::string_view, const char*>, 9> kNames{{
    {"finalizerRun", "finalizer run"},
    {"gcReserve", "GC reserve"},
    {"spinLock", "spin lock"},
    {"hashOrSyncBlock", "hash or sync block"},
    {"isHashCode", "is hash code"},
    {"threadId", "thread id"},
    {"recursion", "recursion"},
    {"hashCode", "hash code"},
    {"syncBlockIndex", "sync block"},
}};

bool isNumber(const HeaderBits& bits) {
  return bits.count > 2;
}

QString threadText(const ObjectDetails& object) {
  if (!object.headerThread.empty()) return fromEngine(object.headerThread);
  if (object.lock && object.lock->ownerManagedId) return u"thread %1"_s.arg(object.lock->ownerManagedId);
  return u"thread %1"_s.arg(object.header->threadId);
}

QString lockSentence(const ObjectDetails& object) {
  const std::uint32_t recursion = object.header->recursion;
  const QString times = recursion == 0 ? u"once"_s : countedText(std::uint64_t{recursion} + 1, u"time"_s);
  return u"Locked by %1, which has entered %2. The lock is thin: it lies in the header itself."_s.arg(
      threadText(object), times);
}

QString syncBlockSentence(const ObjectDetails& object) {
  const QString block = u"The header leads to sync block %1"_s.arg(countText(object.header->syncBlockIndex));
  if (!object.lock || !object.lock->isHeld) return u"%1. Nobody holds its lock."_s.arg(block);
  const engine::LockRow& lock = *object.lock;
  const QString owner = lock.ownerName.empty()
                            ? u"thread %1"_s.arg(lock.ownerManagedId)
                            : u"thread %1 “%2”"_s.arg(lock.ownerManagedId).arg(fromEngine(lock.ownerName));
  const QString times = lock.recursion <= 1 ? u"once"_s : countedText(lock.recursion, u"time"_s);
  return u"%1, locked by %2, which has entered %3."_s.arg(block, owner, times);
}

}  // namespace

QString headerBitsName(const HeaderBits& bits) {
  for (const auto& [name, words] : kNames) {
    if (bits.name == name) return QString::fromUtf8(words);
  }
  if (bits.name.starts_with("unused")) return u"unused"_s;
  return fromEngine(bits.name);
}

bool isIdle(const HeaderBits& bits) {
  return bits.value == 0 || bits.name.starts_with("unused");
}

QString headerBitsText(const HeaderBits& bits) {
  const QString name = headerBitsName(bits);
  if (!isNumber(bits) || bits.name.starts_with("unused")) return name;
  if (bits.name == "hashCode") return u"%1 %2"_s.arg(name).arg(bits.value, 8, 16, QLatin1Char('0'));
  return u"%1 %2"_s.arg(name, countText(bits.value));
}

QString headerSentence(const ObjectDetails& object) {
  if (object.isFree) return u"Left over from the object that lay here before; it means nothing now."_s;
  if (!object.header) return u"The dump does not hold the header of this object."_s;
  switch (object.header->kind) {
    case HeaderKind::ThinLock:
      return lockSentence(object);
    case HeaderKind::HashCode:
      return u"Holds the object's identity hash code, %1, which somebody has asked for."_s.arg(object.header->hashCode,
                                                                                               8, 16, QLatin1Char('0'));
    case HeaderKind::SyncBlock:
      return syncBlockSentence(object);
    case HeaderKind::None:
      break;
  }
  return u"Not in use: nobody has locked the object or asked for its identity hash code."_s;
}

QStringList headerRemarks(const ObjectDetails& object) {
  QStringList remarks;
  if (!object.header || object.isFree) return remarks;
  if (object.lock && object.header->kind == HeaderKind::SyncBlock) {
    const engine::LockRow& lock = *object.lock;
    if (lock.waiting == 1) remarks << u"1 thread waits to enter."_s;
    if (lock.waiting > 1) remarks << u"%1 threads wait to enter."_s.arg(countText(lock.waiting));
    if (lock.hashCode) {
      remarks << u"The sync block keeps the identity hash code %1."_s.arg(lock.hashCode, 8, 16, QLatin1Char('0'));
    }
    if (lock.hasInterop) remarks << u"The sync block holds data of COM interop."_s;
  }
  for (const HeaderBits& bits : object.header->bits) {
    if (bits.count == 1 && bits.value != 0 && !bits.meaning.empty()) remarks << fromEngine(bits.meaning);
  }
  return remarks;
}

namespace {

constexpr int kMostWidth = 1280;  // wider cells are not easier to read
constexpr int kLeastWidth = 480;

}  // namespace

HeaderRuler::HeaderRuler(QWidget* parent) : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setObjectName(u"headerRuler"_s);
  setAccessibleName(u"Bits of the object header"_s);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paintPicture(painter); }, u"header"_s, PictureContents::None);
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
  setAccessibleDescription(spoken.join(u", "_s));
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
    painter.drawText(m_geometry.bits[static_cast<std::size_t>(bit)], Qt::AlignCenter, isSet ? u"1"_s : u"0"_s);
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
  if (!m_current) {
    paintFocusRing(painter, rect(), palette());
    return;
  }
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(itemRect(*m_current).adjusted(1, 1, -1, -1), 3, 3);
}

BubbleText HeaderRuler::itemText(std::size_t item) const {
  const engine::HeaderBits& bits = m_header->bits[item];
  QStringList facts;
  facts << (bits.count == 1 ? u"bit %1"_s.arg(bits.first)
                            : u"bits %1 to %2"_s.arg(bits.first).arg(bits.first + bits.count - 1));
  facts << u"value %1 (0x%2)"_s.arg(countText(bits.value), QString::number(bits.value, 16));
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
  if (!hovered) {
    m_bubble->hide();
    return;
  }
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
