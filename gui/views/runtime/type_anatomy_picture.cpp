// SPDX-License-Identifier: MIT
#include "views/runtime/type_anatomy_picture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

// Parts so close to each other were allocated together.
constexpr std::uint64_t kMostBetween = 16;

using Block = std::vector<std::size_t>;

// The block of the method table first, the others by address.
std::vector<Block> blocksOf(const engine::TypeDetails& type) {
  std::vector<std::size_t> order(type.parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t part) { return type.parts[part].address; });
  std::vector<Block> blocks;
  std::uint64_t end = 0;
  for (const std::size_t part : order) {
    const std::uint64_t start = type.parts[part].address.value;
    if (blocks.empty() || start > end + std::min(kMostBetween, UINT64_MAX - end)) blocks.emplace_back();
    blocks.back().push_back(part);
    end = std::max(end, start + type.parts[part].sizeBytes);
  }
  const auto own = std::ranges::find_if(blocks, [&](const Block& block) {
    return std::ranges::any_of(block, [&](std::size_t part) { return type.parts[part].address == type.methodTable; });
  });
  if (own != blocks.end()) std::rotate(blocks.begin(), own, own + 1);
  return blocks;
}

TypeAnatomyBlock placeBlock(const engine::TypeDetails& type, const Block& parts, double left, double top,
                            const TypeAnatomyScale& scale) {
  TypeAnatomyBlock block;
  double y = top;
  for (const std::size_t part : parts) {
    TypeAnatomyPart placed;
    placed.part = part;
    const bool hasNote = !type.parts[part].note.empty();
    placed.box = QRectF(left, y, scale.width, (hasNote ? 3 : 2) * scale.line + 8);
    placed.title = QRectF(left + 10, y + 4, scale.width - 20, scale.line);
    placed.address = placed.title.translated(0, scale.line);
    if (hasNote) placed.note = placed.address.translated(0, scale.line);
    block.parts.push_back(placed);
    y = placed.box.bottom();
  }
  block.box = QRectF(left, top, scale.width, y - top);
  return block;
}

// Out of the right side of one box, halfway across, and into the left side of the other.
QPolygonF arrowBetween(QPointF from, QPointF to) {
  const double middle = (from.x() + to.x()) / 2;
  return QPolygonF{from, QPointF(middle, from.y()), QPointF(middle, to.y()), to};
}

const TypeAnatomyPart* partOf(const TypeAnatomyBlock& block, const engine::TypeDetails& type) {
  for (const TypeAnatomyPart& part : block.parts) {
    if (type.parts[part.part].address == type.methodTable) return &part;
  }
  return nullptr;
}

}  // namespace

TypeAnatomyGeometry layOutTypeAnatomy(const engine::TypeDetails& type, bool hasObject, const TypeAnatomyScale& scale) {
  TypeAnatomyGeometry geometry;
  double left = scale.margin;
  if (hasObject) {
    const double width = scale.width * 0.75;
    geometry.object = QRectF(left, scale.margin, width, 4 * scale.line + 8);
    geometry.objectPointer = QRectF(left, scale.margin + 4 + 2 * scale.line, width, scale.line);
    geometry.objectFields = geometry.objectPointer.translated(0, scale.line);
    left = geometry.object.right() + scale.between;
  }
  const double rightColumn = left + scale.width + scale.between;
  double top = scale.margin;
  for (const Block& parts : blocksOf(type)) {
    const bool isFirst = geometry.blocks.empty();
    geometry.blocks.push_back(placeBlock(type, parts, isFirst ? left : rightColumn, top, scale));
    top = isFirst ? scale.margin : geometry.blocks.back().box.bottom() + scale.gap;
  }
  QRectF all = geometry.object;
  for (const TypeAnatomyBlock& block : geometry.blocks) all = all.united(block.box);
  geometry.size = QSizeF(all.right() + scale.margin, all.bottom() + scale.margin);

  const TypeAnatomyPart* own = geometry.blocks.empty() ? nullptr : partOf(geometry.blocks.front(), type);
  if (!own) return geometry;
  const QPointF in(own->box.left(), own->title.center().y());
  const QPointF out(own->box.right(), own->title.center().y());
  if (hasObject) {
    geometry.arrows.push_back(arrowBetween({geometry.object.right(), geometry.objectPointer.center().y()}, in));
  }
  for (std::size_t block = 1; block < geometry.blocks.size(); ++block) {
    const TypeAnatomyPart& first = geometry.blocks[block].parts.front();
    geometry.arrows.push_back(arrowBetween(out, {first.box.left(), first.title.center().y()}));
  }
  return geometry;
}

std::optional<std::size_t> typeAnatomyPartAt(const TypeAnatomyGeometry& geometry, QPointF point) {
  for (const TypeAnatomyBlock& block : geometry.blocks) {
    for (const TypeAnatomyPart& part : block.parts) {
      if (part.box.contains(point)) return part.part;
    }
  }
  return std::nullopt;
}

namespace {

constexpr double kArrowHead = 7;
constexpr int kBoxLetters = 40, kMostBoxLetters = 100;
constexpr int kLeft = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;
constexpr int kRight = Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine;

// A static class and an interface are never the type of an object.
bool hasObjects(const engine::TypeDetails& type) {
  return type.kind != "interface" && type.baseSize > 0;
}

}  // namespace

TypeAnatomyPicture::TypeAnatomyPicture(QWidget* parent)
    : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setObjectName(u"typeAnatomy"_s);
  setMouseTracking(true);
  setAccessibleName(u"Object, method table and EEClass"_s);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paint(painter); }, u"typeAnatomy"_s, PictureContents::None);
}

void TypeAnatomyPicture::show(std::shared_ptr<const engine::TypeDetails> type) {
  m_type = std::move(type);
  m_current.reset();
  layOut();
  tellItemsChanged();
}

void TypeAnatomyPicture::layOut() {
  m_bubble->hide();
  m_geometry = {};
  if (m_type) {
    TypeAnatomyScale scale;
    scale.line = std::max(16.0, fontMetrics().height() * 1.25);
    const int letter = fontMetrics().averageCharWidth();
    scale.width = letter * kBoxLetters;
    scale.between = letter * 6;
    m_geometry = layOutTypeAnatomy(*m_type, hasObjects(*m_type), scale);
    setMinimumSize(m_geometry.size.toSize());
    // Where there is more room, notes need not be cut.
    const double boxes = hasObjects(*m_type) ? 2.75 : 2;
    const double wider = scale.width + (width() - m_geometry.size.width()) / boxes;
    if (wider > scale.width) {
      scale.width = std::min(wider, static_cast<double>(letter * kMostBoxLetters));
      m_geometry = layOutTypeAnatomy(*m_type, hasObjects(*m_type), scale);
    }
  } else {
    setMinimumSize(0, 0);
  }
  updateGeometry();
  update();
}

void TypeAnatomyPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter);
  if (!hasFocus()) return;
  if (!m_current) {
    paintFocusRing(painter, rect(), palette());
    return;
  }
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(itemRect(*m_current).adjusted(2, 2, -2, -2), 4, 4);
}

BubbleText TypeAnatomyPicture::itemText(std::size_t item) const {
  const engine::TypeDetails::Part& part = m_type->parts[item];
  BubbleText text{.swatch = {}, .title = fromEngine(part.name), .facts = {addressText(part.address)}};
  if (part.sizeBytes > 0) text.facts << exactBytesText(part.sizeBytes);
  if (!part.note.empty()) text.facts << fromEngine(part.note);
  return text;
}

QRectF TypeAnatomyPicture::itemRect(std::size_t item) const {
  for (const TypeAnatomyBlock& block : m_geometry.blocks) {
    const auto placed = std::ranges::find(block.parts, item, &TypeAnatomyPart::part);
    if (placed != block.parts.end()) return placed->box;
  }
  return {};
}

void TypeAnatomyPicture::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
}

void TypeAnatomyPicture::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

void TypeAnatomyPicture::paint(QPainter& painter) const {
  if (!m_type) return;
  const Colours colours(palette());
  if (!m_geometry.object.isEmpty()) paintObject(painter, colours);
  for (const TypeAnatomyBlock& block : m_geometry.blocks) paintBlock(painter, colours, block);
  for (const QPolygonF& arrow : m_geometry.arrows) paintArrow(painter, colours, arrow);
}

void TypeAnatomyPicture::paintObject(QPainter& painter, const Colours& colours) const {
  const QRectF& box = m_geometry.object;
  const double line = m_geometry.objectPointer.height();
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  const auto paintLine = [&](const QRectF& area, const QColor& ground, const QString& text) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRect(area.adjusted(1, 0, -1, -1));
    painter.setPen(Colours::textOn(ground));
    painter.drawText(area.adjusted(10, 0, -10, 0), kLeft, text);
  };
  const QRectF title(box.left() + 10, box.top() + 4, box.width() - 20, line);
  painter.setFont(scaledFont(font(), 1, QFont::DemiBold));
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(title, kLeft, u"An object"_s);
  painter.setFont(font());
  paintLine(m_geometry.objectPointer.translated(0, -line), headerGround(colours), u"header"_s);
  paintLine(m_geometry.objectPointer, methodTableGround(colours), u"method table"_s);
  painter.setPen(colours.dimmedText());
  const std::uint64_t fields = m_type->baseSize - std::min<std::uint32_t>(m_type->baseSize, 16);
  const QString text = m_type->componentSize == 0 ? u"fields, %1"_s.arg(bytesText(fields)) : u"length and elements"_s;
  painter.drawText(m_geometry.objectFields.adjusted(10, 0, -10, 0), kLeft, text);
}

void TypeAnatomyPicture::paintBlock(QPainter& painter, const Colours& colours, const TypeAnatomyBlock& block) const {
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(block.box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  for (const TypeAnatomyPart& placed : block.parts) {
    const engine::TypeDetails::Part& part = m_type->parts[placed.part];
    if (&placed != &block.parts.front()) {
      painter.fillRect(QRectF(placed.box.left() + 1, placed.box.top(), placed.box.width() - 2, 1), colours.gridLine());
    }
    const QString size = part.sizeBytes == 0 ? QString() : bytesText(part.sizeBytes);
    painter.setFont(font());
    painter.setPen(colours.dimmedText());
    painter.drawText(placed.title, kRight, size);
    const int room = qRound(placed.title.width()) - fontMetrics().horizontalAdvance(size) - 8;
    painter.setFont(scaledFont(font(), 1, part.address == m_type->methodTable ? QFont::DemiBold : QFont::Normal));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(placed.title, kLeft,
                     QFontMetrics(painter.font()).elidedText(fromEngine(part.name), Qt::ElideRight, room));
    painter.setFont(fixedFont(font()));
    painter.setPen(colours.dimmedText());
    const QString address = addressText(part.address);
    painter.drawText(placed.address, kLeft, address);
    painter.setFont(font());
    painter.drawText(placed.note, kLeft,
                     fontMetrics().elidedText(fromEngine(part.note), Qt::ElideRight, qRound(placed.note.width())));
  }
}

void TypeAnatomyPicture::paintArrow(QPainter& painter, const Colours& colours, const QPolygonF& arrow) const {
  painter.setPen(QPen(colours.dimmedText(), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(arrow);
  const QPointF tip = arrow.last();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.dimmedText());
  painter.drawPolygon(
      QPolygonF{tip, tip + QPointF(-kArrowHead, -kArrowHead / 2), tip + QPointF(-kArrowHead, kArrowHead / 2)});
}

void TypeAnatomyPicture::mouseMoveEvent(QMouseEvent* event) {
  const auto index = typeAnatomyPartAt(m_geometry, event->position());
  if (!index || !m_type) {
    m_bubble->hide();
    return;
  }
  m_bubble->showAt(event->position().toPoint(), itemText(*index));
}

void TypeAnatomyPicture::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_bubble->hide();
}

void TypeAnatomyPicture::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void TypeAnatomyPicture::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
