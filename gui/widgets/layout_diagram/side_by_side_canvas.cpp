// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/side_by_side_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/layout_diagram/column_head.h"
#include "widgets/layout_diagram/layout_diagram_painter.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

/// Draws layouts side by side: heads, bytes, and the curves of what lies elsewhere.
class SideBySidePainter {
 public:
  struct Look {
    QPalette palette;
    QFont font;
    std::uint32_t selected = FieldMatches::kNone;  // fields
    std::uint32_t hovered = FieldMatches::kNone;
    bool isBar = false;
    std::optional<std::size_t> focused = {};  // the column that has the focus
  };

  SideBySidePainter(const std::vector<DiagramColumn>& columns, const FieldMatches& matches,
                    const SideBySideGeometry& geometry, const Look& look);

  /// Only what lies in `exposed`.
  void paint(QPainter& painter, const QRectF& exposed) const;

 private:
  void paintCurve(QPainter& painter, const FieldCurve& curve) const;
  static QRectF frameOf(const SideBySideGeometry& geometry, std::size_t column);
  bool isEmphasised(std::uint32_t field) const;

  const std::vector<DiagramColumn>& m_columns;
  const FieldMatches& m_matches;
  const SideBySideGeometry& m_geometry;
  Look m_look;
};

SideBySidePainter::SideBySidePainter(const std::vector<DiagramColumn>& columns, const FieldMatches& matches,
                                     const SideBySideGeometry& geometry, const Look& look)
    : m_columns(columns), m_matches(matches), m_geometry(geometry), m_look(look) {}

void SideBySidePainter::paint(QPainter& painter, const QRectF& exposed) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  bool isFirst = true;
  for (std::size_t column = 0; column < m_geometry.columns.size(); ++column) {
    const QRectF& head = m_geometry.heads[column];
    if (!m_columns[column].sameAs.isEmpty()) {
      if (head.intersects(exposed)) paintColumnChip(painter, head, m_columns[column], m_look.font, m_look.palette);
      continue;
    }
    const LayoutDiagramPainter::Look look{m_look.palette,
                                          m_look.font,
                                          m_matches.itemOf(column, m_look.selected),
                                          m_matches.itemOf(column, m_look.hovered),
                                          m_look.isBar,
                                          !m_look.isBar || isFirst,
                                          isFirst,
                                          m_look.focused == column};
    LayoutDiagramPainter(*m_columns[column].items, m_geometry.columns[column], look).paint(painter, exposed);
    isFirst = false;
    if (head.intersects(exposed)) paintColumnHead(painter, head, m_columns[column], m_look.font, m_look.palette);
    const bool isFramed = m_columns[column].isInForce && m_columns.size() > 1;
    if (isFramed) paintColumnFrame(painter, frameOf(m_geometry, column), m_look.palette);
  }
  // What is pointed at lies above the calm ones.
  for (const bool emphasised : {false, true}) {
    for (const FieldCurve& curve : m_geometry.curves) {
      const QRectF around = QRectF(curve.from, curve.to).normalized().adjusted(-4, -4, 4, 4);
      if (isEmphasised(curve.field) == emphasised && around.intersects(exposed)) paintCurve(painter, curve);
    }
  }
  painter.restore();
}

QRectF SideBySidePainter::frameOf(const SideBySideGeometry& geometry, std::size_t column) {
  constexpr double kAround = 5;
  const QRectF& head = geometry.heads[column];
  const QRectF& bytes = geometry.columns[column].bytes;
  return head.united(bytes).adjusted(-kAround, -kAround, kAround, kAround);
}

bool SideBySidePainter::isEmphasised(std::uint32_t field) const {
  return field == m_look.selected || field == m_look.hovered;
}

void SideBySidePainter::paintCurve(QPainter& painter, const FieldCurve& curve) const {
  const bool emphasised = isEmphasised(curve.field);
  const QColor calm = Colours(m_look.palette).outline();
  const QColor colour = emphasised ? m_look.palette.color(QPalette::Highlight) : calm;
  const QPointF middle = (curve.from + curve.to) / 2;
  QPainterPath path(curve.from);
  if (m_look.isBar) {
    path.cubicTo({curve.from.x(), middle.y()}, {curve.to.x(), middle.y()}, curve.to);
  } else {
    path.cubicTo({middle.x(), curve.from.y()}, {middle.x(), curve.to.y()}, curve.to);
  }
  painter.setPen(QPen(colour, emphasised ? 2 : 1, Qt::SolidLine, Qt::RoundCap));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  constexpr double kDot = 2.5;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  for (const QPointF& end : {curve.from, curve.to}) painter.drawEllipse(end, kDot, kDot);
}

constexpr int kRoomForLevel = 32;  // lines of text wide

/// What a padding of a layout comes to on this heap.
QStringList paddingCost(const DiagramColumn& column, const LayoutItem& item) {
  if (item.part != LayoutPart::Padding || column.times == 0) return {};
  return {u"%1 over %2"_s.arg(bytesText(static_cast<std::uint64_t>(item.sizeBytes()) * column.times), column.timesOf)};
}

}  // namespace

SideBySideCanvas::SideBySideCanvas(QWidget* parent) : DiagramCanvas(parent) {}

void SideBySideCanvas::setColumns(std::vector<DiagramColumn> columns) {
  std::vector<const LayoutItems*> items;
  for (const DiagramColumn& column : columns) items.push_back(column.items.get());
  FieldMatches matches(items);
  std::vector<bool> isOpen(matches.count());
  for (std::uint32_t field = 0; field < m_isOpen.size(); ++field) {
    const std::uint32_t same = m_isOpen[field] ? matches.find(m_matches.keyOf(field)) : FieldMatches::kNone;
    if (same != FieldMatches::kNone) isOpen[same] = true;
  }
  m_dragged = m_dragged < m_matches.count() ? matches.find(m_matches.keyOf(m_dragged)) : FieldMatches::kNone;
  m_selected = m_selected < m_matches.count() ? matches.find(m_matches.keyOf(m_selected)) : FieldMatches::kNone;
  m_hovered = FieldMatches::kNone;
  m_columns = std::move(columns);
  m_matches = std::move(matches);
  setOpen(std::move(isOpen));
}

void SideBySideCanvas::setOpen(std::vector<bool> isOpen) {
  m_isOpen = std::move(isOpen);
  divideOpen();
  layOut();
}

void SideBySideCanvas::divideOpen() {
  m_openByColumn.clear();
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const LayoutItems& items = *m_columns[column].items;
    std::vector<bool> isOpen(items.items.size());
    for (std::uint32_t item = 0; item < isOpen.size(); ++item) {
      isOpen[item] = items[item].canOpen() && m_isOpen[m_matches.fieldOf(column, item)];
    }
    m_openByColumn.push_back(std::move(isOpen));
  }
}

bool SideBySideCanvas::canOpen(std::uint32_t field) const {
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const std::uint32_t item = m_matches.itemOf(column, field);
    if (item != LayoutItem::kNoItem && (*m_columns[column].items)[item].canOpen()) return true;
  }
  return false;
}

void SideBySideCanvas::select(std::uint32_t field) {
  if (field == m_selected) return;
  m_selected = field;
  tellCurrent();
}

// Beside a single layout; between several there is no room for them. A level alone, which is the type, gives way.
bool SideBySideCanvas::namesLevels() const {
  if (drawnColumns() != 1) return false;
  const bool isAlone = firstDrawn().items->levels.size() == 1;
  return isBar() || !isAlone || room() >= kRoomForLevel * QFontMetricsF(zoomedFont()).height();
}

double SideBySideCanvas::bracketWidth() const {
  return namesLevels() ? widthOfLevels(*firstDrawn().items) : 0;
}

std::size_t SideBySideCanvas::drawnColumns() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(m_columns, [](const DiagramColumn& column) { return column.sameAs.isEmpty(); }));
}

const DiagramColumn& SideBySideCanvas::firstDrawn() const {
  return *std::ranges::find_if(m_columns, [](const DiagramColumn& column) { return column.sameAs.isEmpty(); });
}

std::int64_t SideBySideCanvas::bytesShown() const {
  std::int64_t begin = firstDrawn().items->begin;
  std::int64_t end = begin;
  for (const DiagramColumn& column : m_columns) {
    begin = std::min(begin, column.items->begin);
    end = std::max(end, column.items->end);
  }
  return std::max<std::int64_t>(1, end - begin);
}

double SideBySideCanvas::byteWidth(const SideBySideMetrics& metrics) const {
  const QFontMetricsF font(zoomedFont());
  const double line = font.height();
  const DiagramMetrics& diagram = metrics.diagram;
  const auto bytes = static_cast<double>(bytesShown());
  if (isBar()) {
    const double fitting = (room() - metrics.headWidth - 3 * diagram.gap) / bytes * zoom();
    // Thin as they are, their names stand below them.
    return std::clamp(fitting, std::min(font.averageCharWidth(), kMostDiagramWidth / bytes), line * 5);
  }
  const auto columns = static_cast<double>(drawnColumns());
  const double chips = (static_cast<double>(m_columns.size()) - columns) * (metrics.chipWidth + metrics.chipGap);
  const double gutters = (columns - 1) * metrics.curveGutter + chips;
  const double rowRoom = room() - diagram.gutterWidth - diagram.bracketWidth - gutters - 3 * diagram.gap;
  const double fitting = std::floor(rowRoom / (8 * columns) * std::max(1.0, zoom()));
  return std::clamp(fitting, line, line * 6);
}

SideBySideMetrics SideBySideCanvas::metrics() const {
  const QFontMetricsF font(zoomedFont());
  const double line = font.height();
  SideBySideMetrics metrics;
  DiagramMetrics& diagram = metrics.diagram;
  diagram.isBar = isBar();
  diagram.lineHeight = std::ceil(isBar() ? line * 3 : std::max(24.0 * std::min(1.0, zoom()), line * 1.75));
  diagram.captionHeight = std::ceil(line * 1.35);
  diagram.inset = 3;
  diagram.gap = 8;
  diagram.rulerHeight = std::ceil(line * 1.2);
  diagram.showsLevels = namesLevels();
  diagram.bracketWidth = bracketWidth();
  const double widestOffset = font.horizontalAdvance(offsetText(std::max<std::int64_t>(bytesShown(), 1000)));
  diagram.gutterWidth = std::ceil(widestOffset * 1.1 + 24);
  metrics.curveGutter = std::ceil(std::max(40.0, line * 2.8));
  const QSizeF chip = columnChipSize(m_columns, zoomedFont());
  metrics.chipWidth = chip.width();
  metrics.chipHeight = chip.height();
  metrics.chipGap = 12;
  metrics.headHeight =
      std::max(columnHeadHeight(m_columns, zoomedFont()), chip.height()) + (isBar() ? 0 : 2 * diagram.gap);
  metrics.headWidth = columnHeadWidth(m_columns, zoomedFont()) + 2 * diagram.gap;
  diagram.byteWidth = byteWidth(metrics);
  diagram.nameWidth = [font](const LayoutItem& item) { return LayoutDiagramPainter::nameWidth(item, font); };
  diagram.calloutHeight = std::ceil(line * 1.1);
  diagram.calloutRoom = namesLevels() ? diagram.gap : metrics.curveGutter - diagram.gap;
  return metrics;
}

std::vector<DiagramSource> SideBySideCanvas::sources() const {
  std::vector<DiagramSource> sources;
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const DiagramColumn& shown = m_columns[column];
    sources.push_back({shown.items.get(), &m_openByColumn[column], !shown.sameAs.isEmpty()});
  }
  return sources;
}

void SideBySideCanvas::layOut() {
  m_geometry = m_columns.empty() ? SideBySideGeometry() : layOutSideBySide(sources(), m_matches, metrics());
  resize(m_geometry.size.toSize().expandedTo({1, 1}));
  tellItemsChanged();
  update();
  Q_EMIT laidOut();
}

QRect SideBySideCanvas::boundsOf(std::size_t column, std::uint32_t field) const {
  const std::uint32_t item = m_matches.itemOf(column, field);
  if (item == LayoutItem::kNoItem) return {};
  const auto& boxes = m_geometry.columns[column].boxes;
  const auto box = std::ranges::find(boxes, item, &DiagramBox::item);
  QRectF bounds;
  if (box == boxes.end()) return {};
  for (const QRectF& part : box->parts) bounds = bounds.united(part);
  return bounds.toAlignedRect();
}

void SideBySideCanvas::paintEvent(QPaintEvent* event) {
  if (m_columns.empty()) return;
  QPainter painter(this);
  painter.fillRect(event->rect(), Colours(palette()).surface());
  SideBySidePainter::Look look{palette(), zoomedFont(), m_selected, m_hovered, isBar()};
  if (hasFocus()) look.focused = m_column;
  SideBySidePainter(m_columns, m_matches, m_geometry, look).paint(painter, event->rect());
}

void SideBySideCanvas::paintPicture(QPainter& painter) const {
  if (m_columns.empty()) return;
  const SideBySidePainter::Look look{palette(), zoomedFont(), FieldMatches::kNone, FieldMatches::kNone, isBar()};
  SideBySidePainter(m_columns, m_matches, m_geometry, look).paint(painter, rect());
}

void SideBySideCanvas::mousePressEvent(QMouseEvent* event) {
  const std::uint32_t movable = movableAt(event->position());
  if (event->button() != Qt::LeftButton) {
    // Its menu is about the field below the pointer.
    if (movable != FieldMatches::kNone && movable != m_selected) {
      select(movable);
      Q_EMIT picked(movable);
    }
    QWidget::mousePressEvent(event);
    return;
  }
  const std::optional<SideBySideSpot> spot = spotAt(m_geometry, event->position());
  const std::uint32_t field = spot ? m_matches.fieldOf(spot->column, spot->item) : FieldMatches::kNone;
  if (spot) m_column = spot->column;
  m_dragged = movable;
  m_pressedAt = event->position();
  press(field);
}

// The field itself, also where the pointer is in a value type.
std::uint32_t SideBySideCanvas::movableAt(const QPointF& point) const {
  const std::optional<SideBySideSpot> spot = spotAt(m_geometry, point);
  if (!spot || spot->column != m_movable) return FieldMatches::kNone;
  const LayoutItems& items = *m_columns[spot->column].items;
  std::uint32_t item = spot->item;
  while (items[item].parent != LayoutItem::kNoItem) item = items[item].parent;
  return items[item].part == LayoutPart::Field ? m_matches.fieldOf(spot->column, item) : FieldMatches::kNone;
}

void SideBySideCanvas::drag(const QPointF& point) {
  constexpr double kFar = 6;  // a hand is not that steady
  m_isDragging = m_isDragging || (point - m_pressedAt).manhattanLength() > kFar;
  if (!m_isDragging) return;
  setCursor(Qt::ClosedHandCursor);
  const std::uint32_t over = movableAt(point);
  if (over == FieldMatches::kNone || over == m_dragged) return;
  const QRectF bounds = boundsOf(*m_movable, over);
  const bool isWide = bounds.height() > bounds.width();
  Q_EMIT dragged(m_dragged, over, isWide ? point.y() > bounds.center().y() : point.x() > bounds.center().x());
}

void SideBySideCanvas::mouseReleaseEvent(QMouseEvent* event) {
  m_dragged = FieldMatches::kNone;
  if (std::exchange(m_isDragging, false)) hover(event->position());
  QWidget::mouseReleaseEvent(event);
}

void SideBySideCanvas::keyPressEvent(QKeyEvent* event) {
  const bool isMove = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (m_movable && isMove && event->modifiers() & Qt::AltModifier) {
    if (m_selected != FieldMatches::kNone) Q_EMIT moveWanted(m_selected, event->key() == Qt::Key_Up ? -1 : 1);
    return;
  }
  DiagramCanvas::keyPressEvent(event);
}

void SideBySideCanvas::press(std::uint32_t field) {
  select(field);
  Q_EMIT picked(field);
  if (field != FieldMatches::kNone && canOpen(field)) Q_EMIT openWanted(field, !m_isOpen[field]);
}

void SideBySideCanvas::hover(const QPointF& point) {
  const std::optional<SideBySideSpot> spot = spotAt(m_geometry, point);
  const std::uint32_t field = spot ? m_matches.fieldOf(spot->column, spot->item) : FieldMatches::kNone;
  if (field != m_hovered) update();
  m_hovered = field;
  setCursor(field != FieldMatches::kNone && canOpen(field) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (spot) {
    Q_EMIT hovered(static_cast<int>(spot->column), spot->item, point.toPoint());
    return;
  }
  const auto isAt = [&point](const QRectF& head) { return head.contains(point); };
  const auto head = std::ranges::find_if(m_geometry.heads, isAt);
  const bool isOnHead = head != m_geometry.heads.end();
  Q_EMIT hovered(isOnHead ? static_cast<int>(head - m_geometry.heads.begin()) : -1, LayoutItem::kNoItem,
                 point.toPoint());
}

void SideBySideCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton && m_dragged != FieldMatches::kNone) {
    drag(event->position());
    return;
  }
  hover(event->position());
}

void SideBySideCanvas::leaveEvent(QEvent* event) {
  hover({-1, -1});
  QWidget::leaveEvent(event);
}

std::size_t SideBySideCanvas::itemCount() const {
  std::size_t count = 0;
  for (const DiagramGeometry& column : m_geometry.columns) count += column.boxes.size();
  return count;
}

SideBySideSpot SideBySideCanvas::spotOf(std::size_t item) const {
  std::size_t column = 0;
  while (item >= m_geometry.columns[column].boxes.size()) item -= m_geometry.columns[column++].boxes.size();
  return {.column = column, .item = m_geometry.columns[column].boxes[item].item};
}

std::uint32_t SideBySideCanvas::fieldAt(std::size_t item) const {
  const SideBySideSpot spot = spotOf(item);
  return m_matches.fieldOf(spot.column, spot.item);
}

BubbleText SideBySideCanvas::itemText(std::size_t item) const {
  const SideBySideSpot spot = spotOf(item);
  const LayoutItems& items = *m_columns[spot.column].items;
  return {.swatch = {},
          .title = itemName(items[spot.item]),
          .facts = QStringList(m_columns[spot.column].title) + itemFacts(items, spot.item) +
                   paddingCost(m_columns[spot.column], items[spot.item])};
}

QRectF SideBySideCanvas::itemRect(std::size_t item) const {
  return boundsOf(spotOf(item).column, fieldAt(item));
}

std::optional<std::size_t> SideBySideCanvas::currentItem() const {
  std::optional<std::size_t> current;
  std::size_t item = 0;
  for (std::size_t column = 0; column < m_geometry.columns.size(); ++column) {
    for (const DiagramBox& box : m_geometry.columns[column].boxes) {
      const bool isIt = m_matches.fieldOf(column, box.item) == m_selected;
      if (isIt && (!current || column == m_column)) current = item;
      ++item;
    }
  }
  return current;
}

void SideBySideCanvas::goToItem(std::size_t item) {
  const std::size_t column = spotOf(item).column;
  // The same field in another column is selected already, but not said.
  if (std::exchange(m_column, column) != column && fieldAt(item) == m_selected) tellCurrent();
  select(fieldAt(item));
  Q_EMIT picked(m_selected);
}

void SideBySideCanvas::pressItem(std::size_t item) {
  m_column = spotOf(item).column;
  press(fieldAt(item));
}

std::optional<bool> SideBySideCanvas::isItemOpen(std::size_t item) const {
  const std::uint32_t field = fieldAt(item);
  return canOpen(field) ? std::optional<bool>(m_isOpen[field]) : std::nullopt;
}

void SideBySideCanvas::wantOpen(bool isOpen) {
  if (m_selected != FieldMatches::kNone && canOpen(m_selected)) Q_EMIT openWanted(m_selected, isOpen);
}

namespace {

constexpr std::size_t kOpenAtOnceUpTo = 64;  // items, so that no giant opens by itself

}  // namespace

SideBySideDiagram::SideBySideDiagram(QWidget* parent) : SideBySideDiagram(new SideBySideCanvas, parent) {}

SideBySideDiagram::SideBySideDiagram(SideBySideCanvas* canvas, QWidget* parent)
    : DiagramScroller(canvas, parent), m_canvas(canvas) {
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, u"layout"_s,
      PictureContents::None);
  connect(m_canvas, &SideBySideCanvas::picked, this, &SideBySideDiagram::picked);
  connect(m_canvas, &SideBySideCanvas::openWanted, this, &SideBySideDiagram::setOpen);
  connect(m_canvas, &SideBySideCanvas::hovered, this, &SideBySideDiagram::hover);
  connect(m_canvas, &SideBySideCanvas::laidOut, this, &SideBySideDiagram::spansChanged);
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, &SideBySideDiagram::spansChanged);
}

// Bars have their heads in one column, so that what belongs to them stands beside each other.
QRectF SideBySideDiagram::spanOf(std::size_t column) const {
  const QRectF& head = m_canvas->geometry().heads[column];
  if (!m_canvas->geometry().columns[column].bytes.isEmpty() && m_isBar) {
    const double width = viewport()->width() / static_cast<double>(m_canvas->geometry().columns.size());
    return {static_cast<double>(column) * width, 0, width, 0};
  }
  return head.translated(-horizontalScrollBar()->value(), 0);
}

const FieldMatches& SideBySideDiagram::matches() const {
  return m_canvas->matches();
}

bool SideBySideDiagram::isOpen(std::uint32_t field) const {
  return field < m_canvas->isOpen().size() && m_canvas->isOpen()[field];
}

bool SideBySideDiagram::canOpenAny() const {
  return std::ranges::any_of(m_canvas->columns(), [](const DiagramColumn& column) {
    return std::ranges::any_of(column.items->items, &LayoutItem::canOpen);
  });
}

void SideBySideDiagram::show(std::vector<DiagramColumn> columns) {
  m_canvas->select(FieldMatches::kNone);
  setColumns(std::move(columns));
  openWherePaddingIs();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void SideBySideDiagram::setColumns(std::vector<DiagramColumn> columns) {
  hideBubble();
  m_canvas->setRoom(viewport()->width());
  m_canvas->setColumns(std::move(columns));
  Q_EMIT openChanged();
}

// What the totals count shall be seen.
void SideBySideDiagram::openWherePaddingIs() {
  std::vector<bool> isOpen(matches().count());
  for (std::size_t column = 0; column < m_canvas->columns().size(); ++column) {
    const LayoutItems& items = *m_canvas->columns()[column].items;
    if (items.items.size() > kOpenAtOnceUpTo) continue;
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      if (items[item].canOpen() && holdsPadding(items, item)) isOpen[matches().fieldOf(column, item)] = true;
    }
  }
  m_canvas->setOpen(std::move(isOpen));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setOpen(std::uint32_t field, bool isOpen) {
  if (field >= matches().count() || this->isOpen(field) == isOpen) return;
  hideBubble();
  std::vector<bool> all = m_canvas->isOpen();
  all[field] = isOpen;
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setAllOpen(bool isOpen) {
  hideBubble();
  std::vector<bool> all(matches().count());
  for (std::uint32_t field = 0; field < all.size(); ++field) all[field] = isOpen && m_canvas->canOpen(field);
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setBar(bool isBar) {
  hideBubble();
  m_isBar = isBar;
  m_canvas->setBar(isBar);
}

void SideBySideDiagram::select(std::uint32_t field) {
  m_canvas->select(field);
  QRect bounds = m_canvas->boundsOf(0, field);
  for (std::size_t column = 1; bounds.isEmpty() && column < m_canvas->columns().size(); ++column) {
    bounds = m_canvas->boundsOf(column, field);
  }
  scrollTo(bounds);
}

void SideBySideDiagram::setCanvasZoom(double zoom) {
  m_canvas->setZoom(zoom);
}

void SideBySideDiagram::setCanvasRoom(int width) {
  m_canvas->setRoom(width);
}

void SideBySideDiagram::hover(int column, std::uint32_t item, const QPoint& position) {
  if (column < 0) {
    hideBubble();
    return;
  }
  const DiagramColumn& layout = m_canvas->columns()[static_cast<std::size_t>(column)];
  const QPoint inView = m_canvas->mapTo(viewport(), position);
  if (item != LayoutItem::kNoItem) {
    const auto& boxes = m_canvas->geometry().columns[static_cast<std::size_t>(column)].boxes;
    showBubble(*layout.items, boxes, item, inView, paddingCost(layout, (*layout.items)[item]));
    return;
  }
  QStringList facts = layout.facts;
  if (layout.isInForce) facts.prepend(u"how it is laid out now"_s);
  if (!layout.sameAs.isEmpty()) facts = QStringList{u"the same bytes as %1"_s.arg(layout.sameAs)};
  if (!layout.tip.isEmpty()) facts << layout.tip.split(QLatin1Char('\n'));
  showBubble(layout.title, facts, inView);
}

}  // namespace heapscape::gui
