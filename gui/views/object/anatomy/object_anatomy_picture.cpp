// SPDX-License-Identifier: MIT
#include "views/object/anatomy/object_anatomy_picture.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

using engine::TypeDetails;

ObjectAnatomyBox objectBox(const ObjectPage& page) {
  const engine::ObjectDetails& object = page.object;
  ObjectAnatomyBox box{u"object"_s, addressText(page.address()), {}, 0, {}};
  box.lines << u"%1 · %2"_s.arg(exactBytesText(object.row.sizeBytes), generationText(object.row.generation));
  if (object.header) box.lines << u"header 0x%1"_s.arg(object.header->value, 8, 16, QLatin1Char('0'));
  return box;
}

ObjectAnatomyBox methodTableBox(const ObjectPage& page, const std::optional<TypeDetails>& type) {
  const engine::Address methodTable = page.object.methodTable;
  ObjectAnatomyBox box{u"method table"_s, addressText(methodTable), {}, 1, methodTable};
  box.lines << shortTypeName(page.object.typeName);
  if (!type) return box;
  box.lines << u"base size %1"_s.arg(exactBytesText(type->baseSize));
  if (type->componentSize > 0) box.lines << u"element size %1"_s.arg(exactBytesText(type->componentSize));
  box.lines << countedText(type->vtableSlots, u"virtual slot"_s) + u", "_s +
                   countedText(type->interfaces.size(), u"interface"_s);
  return box;
}

ObjectAnatomyBox classBox(const TypeDetails& type, int column) {
  ObjectAnatomyBox box{u"EEClass"_s, addressText(type.eeClass), {}, column, type.methodTable};
  box.lines << u"%1 instance fields, %2 static"_s.arg(countText(type.instanceFieldCount),
                                                      countText(type.staticFieldCount));
  box.lines << countedText(type.methodCount, u"method"_s);
  if (!type.attributeNames.empty()) {
    QStringList names;
    for (const std::string& name : type.attributeNames) names << fromEngine(name);
    box.lines << names.join(u", "_s);
  }
  return box;
}

}  // namespace

ObjectAnatomy objectAnatomy(const ObjectPage& page, const std::optional<TypeDetails>& type) {
  ObjectAnatomy anatomy;
  const auto add = [&anatomy](ObjectAnatomyBox box, std::size_t from) {
    anatomy.boxes.push_back(std::move(box));
    anatomy.arrows.push_back({from, anatomy.boxes.size() - 1});
    return anatomy.boxes.size() - 1;
  };
  anatomy.boxes.push_back(objectBox(page));
  const std::size_t methodTable = add(methodTableBox(page, type), 0);
  if (!type) return anatomy;
  const bool isShared = type->canonical.methodTable && type->canonical.methodTable != type->methodTable;
  std::size_t owner = methodTable;
  if (isShared) {
    ObjectAnatomyBox box{
        u"canonical method table"_s, addressText(type->canonical.methodTable), {}, 2, type->canonical.methodTable};
    box.lines << shortTypeName(type->canonical.name) << u"shares its EEClass and its code"_s;
    owner = add(std::move(box), methodTable);
  }
  if (type->eeClass) add(classBox(*type, isShared ? 3 : 2), owner);
  if (type->parent.methodTable) {
    add({u"parent"_s,
         addressText(type->parent.methodTable),
         {shortTypeName(type->parent.name)},
         2,
         type->parent.methodTable},
        methodTable);
  }
  if (type->module) {
    QStringList lines{fromEngine(type->moduleName)};
    if (!type->loadContext.empty()) lines << u"load context: %1"_s.arg(fromEngine(type->loadContext));
    add({u"module"_s, addressText(type->module), lines, 2, {}}, methodTable);
  }
  return anatomy;
}

namespace {

constexpr double kNarrowest = 96;

std::vector<double> columnWidths(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics) {
  std::vector<double> widths;
  for (std::size_t box = 0; box < anatomy.boxes.size(); ++box) {
    const auto column = static_cast<std::size_t>(anatomy.boxes[box].column);
    if (widths.size() <= column) widths.resize(column + 1, kNarrowest);
    widths[column] = std::max(widths[column], metrics.widths[box] + 2 * metrics.padding);
  }
  const double gaps = metrics.columnGap * static_cast<double>(widths.size() - 1);
  const double room = std::max(0.0, metrics.width - 2 * metrics.margin - gaps);
  // Where room is short the widest give way first.
  std::vector<double> sorted = widths;
  std::ranges::sort(sorted);
  double left = room;
  double widest = room;
  for (std::size_t narrower = 0; narrower < sorted.size(); ++narrower) {
    widest = left / static_cast<double>(sorted.size() - narrower);
    if (sorted[narrower] > widest) break;
    left -= sorted[narrower];
    widest = sorted.back();
  }
  for (double& width : widths) width = std::max(kNarrowest, std::min(width, widest));
  return widths;
}

// Down the middle between the columns, so that arrows to several boxes share a line.
QPolygonF arrowBetween(const QRectF& from, const QRectF& to, double bend) {
  const QPointF start(from.right(), from.center().y());
  const QPointF end(to.left(), to.center().y());
  return QPolygonF({start, {bend, start.y()}, {bend, end.y()}, end});
}

}  // namespace

ObjectAnatomyGeometry layOutObjectAnatomy(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics) {
  ObjectAnatomyGeometry geometry;
  if (anatomy.boxes.empty()) return geometry;
  const std::vector<double> widths = columnWidths(anatomy, metrics);
  std::vector<double> left(widths.size(), metrics.margin);
  for (std::size_t column = 1; column < widths.size(); ++column) {
    left[column] = left[column - 1] + widths[column - 1] + metrics.columnGap;
  }
  std::vector<double> top(widths.size(), metrics.margin);
  for (const ObjectAnatomyBox& box : anatomy.boxes) {
    const auto column = static_cast<std::size_t>(box.column);
    const double lines = 2.0 + static_cast<double>(box.lines.size());
    const double height = lines * metrics.lineHeight + 2 * metrics.padding;
    geometry.boxes.emplace_back(left[column], top[column], widths[column], height);
    top[column] += height + metrics.rowGap;
  }
  for (const ObjectAnatomyArrow& arrow : anatomy.arrows) {
    const QRectF& to = geometry.boxes[arrow.to];
    geometry.arrows.push_back(arrowBetween(geometry.boxes[arrow.from], to, to.left() - metrics.columnGap / 2));
  }
  const double lowest = *std::ranges::max_element(top) - metrics.rowGap + metrics.margin;
  geometry.size = {left.back() + widths.back() + metrics.margin, lowest};
  return geometry;
}

namespace {

constexpr double kArrowHead = 6;
constexpr double kObjectAnatomyPictureMostLetters = 160;  // of a line; the tooltip has the rest

QString spoken(const ObjectAnatomyBox& box) {
  return u"%1 %2\n%3"_s.arg(box.title, box.address, box.lines.join(QLatin1Char('\n')));
}

}  // namespace

ObjectAnatomyPicture::ObjectAnatomyPicture(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(u"anatomyPicture"_s);
  setAccessibleName(u"Object, method table and EEClass"_s);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paintPicture(painter, false); }, u"anatomy"_s, PictureContents::None);
}

void ObjectAnatomyPicture::show(ObjectAnatomy anatomy) {
  m_anatomy = std::move(anatomy);
  m_marked.reset();
  QStringList texts;
  for (const ObjectAnatomyBox& box : m_anatomy.boxes) texts << spoken(box);
  setAccessibleDescription(texts.join(QLatin1Char('\n')));
  layOut();
  tellItemsChanged();
}

void ObjectAnatomyPicture::layOut() {
  const QFontMetricsF normal(font());
  const QFontMetricsF bold(scaledFont(font(), 1, QFont::DemiBold));
  const QFontMetricsF fixed(fixedFont(font()));
  ObjectAnatomyMetrics metrics;
  metrics.width = width();
  metrics.lineHeight = std::ceil(normal.height() * 1.3);
  for (const ObjectAnatomyBox& box : m_anatomy.boxes) {
    double widest = std::max(bold.horizontalAdvance(box.title), fixed.horizontalAdvance(box.address));
    for (const QString& line : box.lines) widest = std::max(widest, normal.horizontalAdvance(line));
    metrics.widths.push_back(std::ceil(std::min(widest, kObjectAnatomyPictureMostLetters * normal.averageCharWidth())) +
                             2);
  }
  m_geometry = layOutObjectAnatomy(m_anatomy, metrics);
  setMinimumHeight(std::max(0, static_cast<int>(std::ceil(m_geometry.size.height()))));
  update();
}

QSize ObjectAnatomyPicture::sizeHint() const {
  return {800, minimumHeight()};
}

QSize ObjectAnatomyPicture::minimumSizeHint() const {
  return {480, minimumHeight()};
}

void ObjectAnatomyPicture::paintArrow(QPainter& painter, const QPolygonF& arrow) const {
  const QColor line = Colours(palette()).outline();
  painter.setPen(QPen(line, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(arrow);
  const QPointF end = arrow.last();
  painter.setPen(Qt::NoPen);
  painter.setBrush(line);
  painter.drawPolygon(
      QPolygonF({end, end - QPointF(kArrowHead, kArrowHead / 2), end - QPointF(kArrowHead, -kArrowHead / 2)}));
}

void ObjectAnatomyPicture::paintBox(QPainter& painter, std::size_t number, bool isForScreen) const {
  const Colours colours(palette());
  const ObjectAnatomyBox& box = m_anatomy.boxes[number];
  const QRectF& rect = m_geometry.boxes[number];
  const bool isMarked = isForScreen && m_marked == number;
  painter.setPen(QPen(isMarked ? palette().color(QPalette::Highlight) : colours.outline(),
                      isMarked ? markPen(palette(), hasFocus()).widthF() : 1));
  painter.setBrush(colours.surface());
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

  constexpr double kPadding = 10;
  QRectF line = rect.adjusted(kPadding, kPadding, -kPadding, 0);
  line.setHeight(std::ceil(QFontMetricsF(font()).height() * 1.3));
  const auto write = [&](const QString& text, const QFont& face, const QColor& colour) {
    painter.setFont(face);
    painter.setPen(colour);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(face).elidedText(text, Qt::ElideMiddle, line.width()));
    line.translate(0, line.height());
  };
  const QColor text = palette().color(QPalette::Text);
  QFont face = scaledFont(font(), 1, QFont::DemiBold);
  face.setUnderline(static_cast<bool>(box.type));  // that it leads on, its colour alone tells not everybody
  write(box.title, face, box.type ? palette().color(QPalette::Link) : text);
  write(box.address, fixedFont(font()), text);
  for (const QString& fact : box.lines) write(fact, font(), colours.dimmedText());
}

void ObjectAnatomyPicture::paintPicture(QPainter& painter, bool isForScreen) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const QPolygonF& arrow : m_geometry.arrows) paintArrow(painter, arrow);
  for (std::size_t box = 0; box < m_anatomy.boxes.size(); ++box) paintBox(painter, box, isForScreen);
}

void ObjectAnatomyPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintPicture(painter, true);
  if (hasFocus() && !m_marked) paintFocusRing(painter, rect(), palette());
}

void ObjectAnatomyPicture::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

std::optional<std::size_t> ObjectAnatomyPicture::boxAt(const QPointF& point) const {
  for (std::size_t box = 0; box < m_geometry.boxes.size(); ++box) {
    if (m_geometry.boxes[box].contains(point)) return box;
  }
  return std::nullopt;
}

void ObjectAnatomyPicture::mark(std::optional<std::size_t> box) {
  setCursor(box && m_anatomy.boxes[*box].type ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (box == m_marked) return;
  m_marked = box;
  tellCurrent();
}

BubbleText ObjectAnatomyPicture::itemText(std::size_t item) const {
  const ObjectAnatomyBox& box = m_anatomy.boxes[item];
  QStringList facts = box.lines;
  if (!box.address.isEmpty()) facts.prepend(box.address);
  return {.swatch = {}, .title = box.title, .facts = facts};
}

void ObjectAnatomyPicture::pressItem(std::size_t item) {
  if (m_anatomy.boxes[item].type) Q_EMIT typeWanted(m_anatomy.boxes[item].type);
}

bool ObjectAnatomyPicture::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const auto box = boxAt(help->pos());
  QToolTip::showText(help->globalPos(), box ? spoken(m_anatomy.boxes[*box]) : QString(), this);
  return true;
}

void ObjectAnatomyPicture::mouseMoveEvent(QMouseEvent* event) {
  mark(boxAt(event->position()));
}

void ObjectAnatomyPicture::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  mark(std::nullopt);
}

void ObjectAnatomyPicture::mousePressEvent(QMouseEvent* event) {
  const auto box = boxAt(event->position());
  if (event->button() == Qt::LeftButton && box) pressItem(*box);
}

void ObjectAnatomyPicture::keyPressEvent(QKeyEvent* event) {
  const int key = event->key() == Qt::Key_Space ? Qt::Key_Return : event->key();
  if (!takesKey(key)) QWidget::keyPressEvent(event);
}

void ObjectAnatomyPicture::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
