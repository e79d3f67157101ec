// SPDX-License-Identifier: MIT
#include "views/runtime/sharing_picture.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kMargin = 12;
constexpr double kInset = 12;  // of the rows within a box
constexpr double kGap = 8;

}  // namespace

SharingGeometry layOutSharing(const engine::GenericDefinition& definition, double width, double line) {
  SharingGeometry geometry;
  const auto& types = definition.instantiations;
  geometry.rows.reserve(types.size());
  const double inner = std::max(0.0, width - 2 * kMargin);
  double top = kMargin;
  for (std::size_t first = 0; first < types.size();) {
    std::size_t end = first + 1;
    while (end < types.size() && types[end].canonical == types[first].canonical) ++end;
    SharingGroup group{
        .box = {}, .heading = {}, .first = first, .count = end - first, .isShared = types[first].sharesCode};
    const double start = top;
    if (group.isShared) {
      group.heading = QRectF(kMargin + kInset, top, std::max(0.0, inner - 2 * kInset), line * 1.25);
      top = group.heading.bottom();
    }
    for (std::size_t row = first; row < end; ++row, top += line) {
      geometry.rows.emplace_back(kMargin + kInset, top, std::max(0.0, inner - 2 * kInset), line);
    }
    if (group.isShared) top += kGap / 2;
    group.box = QRectF(kMargin, start, inner, top - start);
    top += kGap;
    geometry.groups.push_back(group);
    first = end;
  }
  geometry.size = QSizeF(width, top + kMargin - kGap);
  return geometry;
}

std::optional<std::size_t> instantiationAt(const SharingGeometry& geometry, QPointF point) {
  const auto below =
      std::ranges::upper_bound(geometry.rows, point.y(), {}, [](const QRectF& row) { return row.top(); });
  if (below == geometry.rows.begin()) return std::nullopt;
  const auto row = std::prev(below);
  if (!row->contains(point)) return std::nullopt;
  return static_cast<std::size_t>(row - geometry.rows.begin());
}

namespace {

constexpr int kPadding = 8;
constexpr double kBracket = 3;

QString headingText(const engine::GenericDefinition& definition, const SharingGroup& group) {
  const engine::GenericInstantiation& first = definition.instantiations[group.first];
  return u"Share the code of %1"_s.arg(shortTypeName(first.canonicalName));
}

}  // namespace

SharingPicture::SharingPicture(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setObjectName(u"sharing"_s);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(u"Instantiations, by the code that they share"_s);
}

void SharingPicture::show(const engine::GenericDefinition& definition) {
  m_definition = definition;
  m_current.reset();
  layOut();
  tellItemsChanged();
}

void SharingPicture::clear() {
  show({});
}

void SharingPicture::follow(engine::Address methodTable) {
  const auto found =
      std::ranges::find(m_definition.instantiations, methodTable, &engine::GenericInstantiation::methodTable);
  m_current.reset();
  if (found != m_definition.instantiations.end()) {
    m_current = static_cast<std::size_t>(found - m_definition.instantiations.begin());
  }
  update();
}

double SharingPicture::line() const {
  return std::max(24.0, fontMetrics().height() * 1.6);
}

void SharingPicture::layOut() {
  m_geometry = layOutSharing(m_definition, width(), line());
  setMinimumHeight(qRound(m_geometry.size.height()));
  updateGeometry();
  update();
}

int SharingPicture::heightForWidth(int width) const {
  return qRound(layOutSharing(m_definition, width, line()).size.height());
}

QSize SharingPicture::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 50, qRound(m_geometry.size.height())};
}

void SharingPicture::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const QRectF seen = event->rect();
  for (const SharingGroup& group : m_geometry.groups) {
    if (!group.box.intersects(seen)) continue;
    if (group.isShared) paintGroup(painter, colours, group);
    for (std::size_t row = group.first; row < group.first + group.count; ++row) {
      if (m_geometry.rows[row].intersects(seen)) paintRow(painter, colours, row);
    }
  }
}

void SharingPicture::paintGroup(QPainter& painter, const Colours& colours, const SharingGroup& group) const {
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(group.box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.heatStep(3));
  painter.drawRoundedRect(QRectF(group.box.left(), group.box.top(), kBracket, group.box.height()), 1.5, 1.5);
  const QRectF area = group.heading.adjusted(kPadding, 0, -kPadding, 0);
  const QString count = countedText(group.count, u"type"_s);
  painter.setPen(colours.dimmedText());
  painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, count);
  const int room = qRound(area.width()) - fontMetrics().horizontalAdvance(count) - kPadding;
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(headingText(m_definition, group), Qt::ElideMiddle, room));
}

void SharingPicture::paintRow(QPainter& painter, const Colours& colours, std::size_t row) const {
  const engine::GenericInstantiation& type = m_definition.instantiations[row];
  const QRectF area = m_geometry.rows[row];
  if (row == m_current) {
    QColor ground = palette().color(QPalette::Highlight);
    ground.setAlphaF(0.16F);
    painter.setPen(hasFocus() ? focusRing(palette()) : QPen(Qt::NoPen));
    painter.setBrush(ground);
    painter.drawRoundedRect(area, 4, 4);
  }
  const QRectF text = area.adjusted(kPadding, 0, -kPadding, 0);
  const QString figures =
      type.objects == 0 ? u"none on the heap"_s : u"%1 × · %2"_s.arg(countText(type.objects), bytesText(type.bytes));
  const int used = fontMetrics().horizontalAdvance(figures) + 2 * kPadding;
  painter.setPen(colours.dimmedText());
  painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, figures);
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(shortTypeName(type.name), Qt::ElideMiddle, qRound(text.width()) - used));
}

void SharingPicture::setCurrent(std::size_t row) {
  m_current = row;
  tellCurrent();
  Q_EMIT typePicked(m_definition.instantiations[row].methodTable);
}

void SharingPicture::mousePressEvent(QMouseEvent* event) {
  QWidget::mousePressEvent(event);
  if (const auto row = instantiationAt(m_geometry, event->position())) setCurrent(*row);
}

void SharingPicture::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto row = instantiationAt(m_geometry, event->position())) {
    Q_EMIT typeActivated(m_definition.instantiations[*row].methodTable);
  }
}

BubbleText SharingPicture::itemText(std::size_t item) const {
  const engine::GenericInstantiation& type = m_definition.instantiations[item];
  return {.swatch = {},
          .title = fromEngine(type.name),
          .facts = {u"Method table %1"_s.arg(addressText(type.methodTable)),
                    u"Runs the code of %1"_s.arg(fromEngine(type.canonicalName)),
                    u"%1, %2"_s.arg(countedText(type.objects, u"object"_s), exactBytesText(type.bytes))}};
}

void SharingPicture::pressItem(std::size_t item) {
  Q_EMIT typeActivated(m_definition.instantiations[item].methodTable);
}

void SharingPicture::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

bool SharingPicture::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const auto row = instantiationAt(m_geometry, help->pos());
    if (!row) {
      QToolTip::hideText();
      return true;
    }
    const BubbleText text = itemText(*row);
    QToolTip::showText(help->globalPos(), (QStringList(text.title) + text.facts).join(QLatin1Char('\n')), this);
    return true;
  }
  return QWidget::event(event);
}

void SharingPicture::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) layOut();
}

void SharingPicture::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) layOut();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
