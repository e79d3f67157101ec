// SPDX-License-Identifier: MIT
#include "widgets/treemap/treemap.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "review/treemap.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr double kGroupGap = 3;         // between groups; their parts are a line apart
constexpr double kHeadingsOfGroup = 3;  // a group has a heading if it is at least so many headings high
constexpr double kWidthOfHeading = 3;   // and at least so many wide

// The largest first, which gives the best shapes.
std::vector<std::size_t> bySize(const std::vector<TreemapPart>& parts) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&parts](std::size_t part) { return parts[part].bytes; });
  return order;
}

std::vector<QRectF> divide(const std::vector<TreemapPart>& parts, const std::vector<std::size_t>& order,
                           const QRectF& area) {
  std::vector<double> weights;
  weights.reserve(order.size());
  for (const std::size_t part : order) weights.push_back(static_cast<double>(parts[part].bytes));
  std::vector<QRectF> rects;
  rects.reserve(order.size());
  for (const engine::TreemapRect& rect : engine::squarify(weights, {area.x(), area.y(), area.width(), area.height()}))
    rects.emplace_back(rect.x, rect.y, rect.width, rect.height);
  return rects;
}

void addParts(std::vector<TreemapTile>& tiles, const std::vector<TreemapPart>& groups, std::size_t group,
              const QRectF& area) {
  const std::vector<TreemapPart>& parts = groups[group].parts;
  const std::vector<std::size_t> order = bySize(parts);
  const std::vector<QRectF> rects = divide(parts, order, area);
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (parts[order[at]].bytes > 0) tiles.push_back({.spot = {group, order[at]}, .rect = rects[at]});
  }
}

// How far a tile lies off the way in a direction; nothing if it does not lie that way.
std::optional<double> distance(const QRectF& from, const QRectF& to, int key) {
  const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
  const double ahead = key == Qt::Key_Left    ? from.left() - to.right()
                       : key == Qt::Key_Right ? to.left() - from.right()
                       : key == Qt::Key_Up    ? from.top() - to.bottom()
                                              : to.top() - from.bottom();
  constexpr double kTouching = -0.5;
  if (ahead < kTouching) return std::nullopt;
  const double aside = isSideways ? std::abs(from.center().y() - std::clamp(from.center().y(), to.top(), to.bottom()))
                                  : std::abs(from.center().x() - std::clamp(from.center().x(), to.left(), to.right()));
  return std::max(0.0, ahead) + 2 * aside;
}

constexpr double kMargin = 5;
constexpr qsizetype kFewestLetters = 9;
constexpr qsizetype kFewestOfAWord = 4;  // of one of several
constexpr double kLeastLined = 3;        // smaller tiles have no line around them

// A few letters and dots tell nothing.
QString fitting(const QString& name, double width, const QFontMetricsF& metrics) {
  const QString shown = metrics.elidedText(name, Qt::ElideMiddle, width);
  return shown == name || shown.size() >= kFewestLetters ? shown : QString();
}

QString nameOf(const TreemapPart& part) {
  return givenNameText(part.name.toStdString());
}

void paintHeading(QPainter& painter, const TreemapPart& group, const QRectF& heading, const QPalette& palette) {
  const QFontMetricsF metrics(painter.font());
  const QRectF room = heading.adjusted(0, 0, -kMargin, 0);
  const QString bytes = bytesText(group.bytes);
  const double bytesWidth = metrics.horizontalAdvance(bytes);
  const QString name = fitting(nameOf(group), room.width() - bytesWidth - 2 * kMargin, metrics);
  painter.setPen(palette.color(QPalette::WindowText));
  if (name.isEmpty()) {
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fitting(nameOf(group), room.width(), metrics));
    return;
  }
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
  painter.setPen(Colours(palette).dimmedText());
  painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytes);
}

QColor textColour(const ChipSample& sample, const QPalette& palette) {
  const bool isPlain = sample.fill.style() == Qt::SolidPattern && sample.fill.color().alphaF() > 0.99F;
  return isPlain ? Colours::textOn(sample.fill.color()) : palette.color(QPalette::WindowText);
}

/// The name on as few lines as it fits on by its words, long ones cut; the last line that there is room for has all
/// that is left, cut. If that leaves too few letters, the name on one line.
QStringList labelLines(const QString& name, double width, int mostLines, const QFontMetricsF& metrics) {
  QStringList lines;
  for (const QString& word : name.split(QLatin1Char(' '))) {
    const QString longer = lines.isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
    const bool isLast = lines.size() == mostLines;
    if (!lines.isEmpty() && (isLast || metrics.horizontalAdvance(longer) <= width)) {
      lines.last() = longer;
    } else {
      lines << word;
    }
    const QString shown = metrics.elidedText(lines.last(), Qt::ElideRight, width);
    const bool isOnly = word == name || mostLines == 1;
    if (shown != lines.last() && (isOnly || shown.size() < kFewestOfAWord)) return {fitting(name, width, metrics)};
  }
  for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, width);
  return lines;
}

void paintLabel(QPainter& painter, const TreemapPart& part, const QRectF& rect, const QColor& colour,
                const QColor& plate) {
  const QFontMetricsF metrics(painter.font());
  QRectF room = rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
  if (room.height() < metrics.height() || room.width() < 2 * metrics.averageCharWidth()) return;
  const int lines = 1 + static_cast<int>((room.height() - metrics.height()) / metrics.lineSpacing());
  QStringList label = labelLines(nameOf(part), room.width(), std::max(1, lines - 1), metrics);
  if (label.first().isEmpty()) return;
  const QString bytes = bytesText(part.bytes);
  if (label.size() < lines && metrics.horizontalAdvance(bytes) <= room.width()) label << bytes;
  painter.setPen(colour);
  for (const QString& line : label) {
    paintOnPlate(painter, room, Qt::AlignLeft | Qt::AlignTop, line, plate);
    room.setTop(room.top() + metrics.lineSpacing());
  }
}

// Between a tile and the next one: a tile that is small one way keeps in line with its neighbours the other way.
double gapOf(double extent) {
  return std::min(1.0, extent / 3);
}

void paintTile(QPainter& painter, const TreemapPart& part, const QRectF& rect, const QPalette& palette) {
  const Colours colours(palette);
  const ChipSample sample = part.sample ? part.sample(colours) : ChipSample{.fill = colours.freeSpaceBrush()};
  const bool isLined = rect.width() >= kLeastLined && rect.height() >= kLeastLined;
  const QRectF inner = rect.adjusted(0, 0, -gapOf(rect.width()), -gapOf(rect.height()));
  painter.fillRect(inner, sample.fill);
  if (sample.line.style() != Qt::NoPen && isLined) {
    painter.setPen(sample.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  const bool hasDots = sample.fill.style() == Qt::TexturePattern;
  paintLabel(painter, part, inner, textColour(sample, palette), hasDots ? colours.freeSpace() : QColor());
}

}  // namespace

std::vector<TreemapTile> treemapTiles(const std::vector<TreemapPart>& groups, std::optional<std::size_t> zoomed,
                                      const QRectF& area, double headingHeight) {
  std::vector<TreemapTile> tiles;
  if (area.isEmpty()) return tiles;
  if (zoomed && *zoomed < groups.size()) {
    addParts(tiles, groups, *zoomed, area);
    return tiles;
  }
  const std::vector<std::size_t> order = bySize(groups);
  const std::vector<QRectF> rects = divide(groups, order, area);
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t group = order[at];
    if (groups[group].bytes == 0) continue;
    QRectF rect = rects[at];
    if (rect.width() > 2 * kGroupGap && rect.height() > 2 * kGroupGap) rect.adjust(0, 0, -kGroupGap, -kGroupGap);
    TreemapTile tile{.spot = {.group = group}, .rect = rect};
    if (rect.height() >= kHeadingsOfGroup * headingHeight && rect.width() >= kWidthOfHeading * headingHeight)
      tile.heading = QRectF(rect.left(), rect.top(), rect.width(), headingHeight);
    tiles.push_back(tile);
    addParts(tiles, groups, group, rect.adjusted(0, tile.heading.height(), 0, 0));
  }
  return tiles;
}

const TreemapTile* treemapTileAt(const std::vector<TreemapTile>& tiles, QPointF point) {
  const auto holds = [point](const TreemapTile& tile) {
    const QRectF& rect = tile.rect;
    return point.x() >= rect.left() && point.x() < rect.right() && point.y() >= rect.top() && point.y() < rect.bottom();
  };
  // Parts follow their group.
  const auto found = std::find_if(tiles.rbegin(), tiles.rend(), holds);
  return found == tiles.rend() ? nullptr : &*found;
}

const TreemapTile* treemapNeighbour(const std::vector<TreemapTile>& tiles, const TreemapTile& from, int key) {
  const TreemapTile* nearest = nullptr;
  double least = std::numeric_limits<double>::max();
  for (std::size_t at = 0; at < tiles.size(); ++at) {
    const TreemapTile& tile = tiles[at];
    const bool isDivided = tile.spot.isGroup() && at + 1 < tiles.size() && tiles[at + 1].spot.group == tile.spot.group;
    if (isDivided || tile.spot == from.spot) continue;
    const std::optional<double> off = distance(from.rect, tile.rect, key);
    if (off && *off < least) {
      least = *off;
      nearest = &tile;
    }
  }
  return nearest;
}

void paintTreemap(QPainter& painter, const std::vector<TreemapPart>& groups, const std::vector<TreemapTile>& tiles,
                  const QPalette& palette) {
  for (const TreemapTile& tile : tiles) {
    const TreemapPart& group = groups[tile.spot.group];
    if (!tile.spot.isGroup()) {
      paintTile(painter, group.parts[tile.spot.part], tile.rect, palette);
    } else if (group.parts.empty()) {
      paintTile(painter, group, tile.rect, palette);
    } else if (!tile.heading.isEmpty()) {
      paintHeading(painter, group, tile.heading, palette);
    }
  }
}

TreemapTrail::TreemapTrail(Treemap* treemap, const QString& whole, QWidget* parent)
    : QWidget(parent), m_treemap(treemap), m_name(whole), m_whole(new QToolButton(this)), m_group(new QLabel(this)) {
  m_whole->setText(whole);
  m_whole->setObjectName(u"treemapWhole"_s);
  m_whole->setToolTip(u"Show all of it again (Esc)"_s);
  m_whole->setAutoRaise(true);
  m_whole->setMinimumHeight(std::max(24, fontMetrics().height() * 8 / 5));
  m_group->setObjectName(u"treemapGroup"_s);
  m_group->setTextFormat(Qt::PlainText);
  m_group->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  line->addWidget(m_whole);
  line->addWidget(m_group);
  line->addStretch(1);
  setMinimumHeight(m_whole->minimumHeight());
  connect(m_whole, &QToolButton::clicked, m_treemap, [this] { m_treemap->zoom(std::nullopt); });
  connect(m_treemap, &Treemap::zoomChanged, this, &TreemapTrail::follow);
  follow();
}

void TreemapTrail::follow() {
  const std::optional<std::size_t> group = m_treemap->zoomed();
  m_whole->setVisible(group.has_value());
  m_group->setText(group ? u"›  "_s + m_treemap->groups()[*group].name : m_name);
}

Treemap::Treemap(const QString& title, const QString& name, QWidget* parent)
    : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(title);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { draw(painter); }, name, PictureContents::Hides);
  offerActions(this);
}

void Treemap::setGroups(std::vector<TreemapPart> groups) {
  const QString looked = m_zoomed ? m_groups[*m_zoomed].name : QString();
  m_groups = std::move(groups);
  m_bytes = 0;
  for (const TreemapPart& group : m_groups) m_bytes += group.bytes;
  m_marked.reset();
  m_hovered.reset();
  m_bubble->hide();
  if (m_zoomed) {
    const auto same = std::ranges::find(m_groups, looked, &TreemapPart::name);
    if (same == m_groups.end()) {
      m_zoomed.reset();
    } else {
      m_zoomed = static_cast<std::size_t>(same - m_groups.begin());
    }
    Q_EMIT zoomChanged();
  }
  tellItemsChanged();
  update();
}

const TreemapPart& Treemap::partOf(const TreemapSpot& spot) const {
  const TreemapPart& group = m_groups[spot.group];
  return spot.isGroup() ? group : group.parts[spot.part];
}

QString Treemap::nameOf(const TreemapSpot& spot) const {
  const TreemapPart& group = m_groups[spot.group];
  if (spot.isGroup() || partOf(spot).name == group.name) return group.name;
  return u"%1 › %2"_s.arg(group.name, partOf(spot).name);
}

BubbleText Treemap::textOf(const TreemapSpot& spot) const {
  const TreemapPart& part = partOf(spot);
  const QColor swatch = part.sample ? part.sample(Colours(palette())).fill.color() : QColor();
  return {.swatch = swatch, .title = nameOf(spot), .facts = factsOf(spot)};
}

std::optional<std::size_t> Treemap::currentItem() const {
  const std::vector<TreemapTile> shown = tiles();
  const auto found = std::ranges::find_if(shown, [this](const TreemapTile& tile) { return tile.spot == m_marked; });
  return found == shown.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - shown.begin()));
}

void Treemap::pressItem(std::size_t item) {
  const TreemapSpot spot = tiles()[item].spot;
  pick(spot);
  enter(spot);
}

QStringList Treemap::factsOf(const TreemapSpot& spot) const {
  const TreemapPart& part = partOf(spot);
  QStringList facts{u"%1, %2 of all"_s.arg(bytesText(part.bytes), percentText(part.bytes, m_bytes)),
                    exactBytesText(part.bytes)};
  if (part.bytes < 1024) facts.removeLast();
  return facts + part.facts;
}

double Treemap::headingHeight() const {
  return fontMetrics().height() * 1.4;
}

std::vector<TreemapTile> Treemap::tiles() const {
  return treemapTiles(m_groups, m_zoomed, QRectF(rect()), headingHeight());
}

QSize Treemap::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 20};
}

QSize Treemap::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 8};
}

void Treemap::mark(std::optional<TreemapSpot> spot) {
  m_marked = spot;
  if (spot && m_zoomed && spot->group != *m_zoomed) zoom(std::nullopt);
  tellCurrent();
}

void Treemap::zoom(std::optional<std::size_t> group) {
  if (group == m_zoomed || (group && *group >= m_groups.size())) return;
  m_zoomed = group;
  m_hovered.reset();
  m_bubble->hide();
  tellItemsChanged();
  update();
  Q_EMIT zoomChanged();
}

void Treemap::pick(const TreemapSpot& spot) {
  if (spot == m_marked) return;
  mark(spot);
  Q_EMIT picked(spot);
}

void Treemap::enter(const TreemapSpot& spot) {
  const bool isDeepest = m_zoomed || m_groups[spot.group].parts.size() < 2;
  if (isDeepest) {
    Q_EMIT activated(spot);
  } else {
    zoom(spot.group);
  }
}

void Treemap::move(int key) {
  const std::vector<TreemapTile> shown = tiles();
  const auto current = std::ranges::find_if(shown, [this](const TreemapTile& tile) { return tile.spot == m_marked; });
  const TreemapTile* next = nullptr;
  if (current != shown.end()) {
    next = treemapNeighbour(shown, *current, key);
  } else {
    next = treemapTileAt(shown, QPointF(1, headingHeight() + 1));
  }
  if (next) pick(next->spot);
}

void Treemap::mouseMoveEvent(QMouseEvent* event) {
  const std::vector<TreemapTile> shown = tiles();
  const TreemapTile* tile = treemapTileAt(shown, event->position());
  const std::optional<TreemapSpot> spot = tile ? std::optional(tile->spot) : std::nullopt;
  if (spot != m_hovered) {
    m_hovered = spot;
    update();
  }
  if (!spot) {
    m_bubble->hide();
    return;
  }
  m_bubble->showAt(event->pos(), textOf(*spot));
}

void Treemap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    QWidget::mousePressEvent(event);
    return;
  }
  const std::vector<TreemapTile> shown = tiles();
  if (const TreemapTile* tile = treemapTileAt(shown, event->position())) pick(tile->spot);
}

void Treemap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const std::vector<TreemapTile> shown = tiles();
  if (const TreemapTile* tile = treemapTileAt(shown, event->position())) enter(tile->spot);
}

void Treemap::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hovered.reset();
  m_bubble->hide();
  update();
}

void Treemap::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      move(event->key());
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_marked) enter(*m_marked);
      return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      if (m_zoomed) {
        zoom(std::nullopt);
        return;
      }
      break;
    default:
      if (takesKey(event->key())) return;
      break;
  }
  QWidget::keyPressEvent(event);
}

void Treemap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw(painter);
  const QColor accent = palette().color(QPalette::Highlight);
  if (m_hovered && m_hovered != m_marked) outline(painter, *m_hovered, QPen(palette().color(QPalette::WindowText), 1));
  if (m_marked) outline(painter, *m_marked, markPen(palette(), hasFocus()));
  if (hasFocus() && !m_marked) {
    painter.setPen(QPen(accent, focusRing(palette()).widthF(), Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

void Treemap::draw(QPainter& painter) const {
  painter.setFont(font());
  paintTreemap(painter, m_groups, tiles(), palette());
}

void Treemap::outline(QPainter& painter, const TreemapSpot& spot, const QPen& pen) const {
  for (const TreemapTile& tile : tiles()) {
    if (tile.spot != spot) continue;
    const double half = pen.widthF() / 2;
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(tile.rect.adjusted(half, half, -half - 1, -half - 1));
  }
}

}  // namespace heapscape::gui
