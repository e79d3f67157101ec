// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/side_by_side_diagram.h"

#include <QEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "models/layout_item_text.h"
#include "widgets/colours.h"
#include "widgets/hover_bubble.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/picture_actions.h"

namespace heapscape::gui {
namespace {

constexpr double kZoomStep = 1.15;
constexpr int kLeastZoom = -4;
constexpr int kMostZoom = 8;
constexpr std::size_t kOpenAtOnceUpTo = 64;  // items, so that no giant opens by itself

}  // namespace

SideBySideDiagram::SideBySideDiagram(QWidget* parent)
    : QScrollArea(parent), m_canvas(new SideBySideCanvas), m_bubble(new HoverBubble(viewport())) {
  setObjectName(QStringLiteral("layoutDiagram"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setFocusProxy(m_canvas);
  setWidget(m_canvas);
  // Always there, so that the width does not depend on the height that depends on it.
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  addPictureActions(
      m_canvas, [this](QPainter& painter, QSize) { m_canvas->paintPicture(painter); }, QStringLiteral("layout"));
  connect(m_canvas, &SideBySideCanvas::picked, this, &SideBySideDiagram::picked);
  connect(m_canvas, &SideBySideCanvas::openWanted, this, &SideBySideDiagram::setOpen);
  connect(m_canvas, &SideBySideCanvas::hovered, this, &SideBySideDiagram::showBubble);
  updateBackground();
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
  m_bubble->hide();
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
  m_bubble->hide();
  std::vector<bool> all = m_canvas->isOpen();
  all[field] = isOpen;
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setAllOpen(bool isOpen) {
  m_bubble->hide();
  std::vector<bool> all(matches().count());
  for (std::uint32_t field = 0; field < all.size(); ++field) all[field] = isOpen && m_canvas->canOpen(field);
  m_canvas->setOpen(std::move(all));
  Q_EMIT openChanged();
}

void SideBySideDiagram::setBar(bool isBar) {
  m_bubble->hide();
  m_canvas->setBar(isBar);
}

void SideBySideDiagram::select(std::uint32_t field) {
  m_canvas->select(field);
  QRect bounds = m_canvas->boundsOf(0, field);
  for (std::size_t column = 1; bounds.isEmpty() && column < m_canvas->columns().size(); ++column) {
    bounds = m_canvas->boundsOf(column, field);
  }
  if (bounds.isEmpty()) return;
  constexpr int kMargin = 24;
  const QPoint middle = bounds.center();
  ensureVisible(middle.x(), middle.y(), std::min(bounds.width() / 2 + kMargin, viewport()->width() / 2),
                std::min(bounds.height() / 2 + kMargin, viewport()->height() / 2));
}

void SideBySideDiagram::zoomBy(int steps) {
  m_zoomSteps = std::clamp(m_zoomSteps + steps, kLeastZoom, kMostZoom);
  m_bubble->hide();
  m_canvas->setZoom(std::pow(kZoomStep, m_zoomSteps));
}

void SideBySideDiagram::showBubble(int column, std::uint32_t item, const QPoint& position) {
  if (column < 0) return m_bubble->hide();
  const DiagramColumn& layout = m_canvas->columns()[static_cast<std::size_t>(column)];
  const QPoint inView = m_canvas->mapTo(viewport(), position);
  if (item == LayoutItem::kNoItem) {
    QStringList facts = layout.facts;
    if (!layout.tip.isEmpty()) facts << layout.tip.split(QLatin1Char('\n'));
    return m_bubble->showAt(inView, {{}, layout.title, facts});
  }
  const LayoutItem& shown = (*layout.items)[item];
  const Colours colours(palette());
  const bool isPadding = shown.part == LayoutPart::Padding;
  const bool isField = shown.part == LayoutPart::Field || shown.part == LayoutPart::Element;
  const QColor swatch = isPadding ? colours.padding() : isField ? colours.of(shown.kind) : colours.methodTable();
  QStringList facts = itemFacts(*layout.items, item);
  const auto& boxes = m_canvas->geometry().columns[static_cast<std::size_t>(column)].boxes;
  const auto box = std::ranges::find(boxes, item, &DiagramBox::item);
  if (box != boxes.end() && box->isOverlapping) facts << tr("shares bytes with the fields above or below it");
  m_bubble->showAt(inView, {swatch, itemName(shown), facts});
}

void SideBySideDiagram::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  m_canvas->setRoom(viewport()->width());
}

void SideBySideDiagram::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QScrollArea::wheelEvent(event);
  const double before = m_canvas->height();
  const int inView = event->position().toPoint().y();
  const double at = (verticalScrollBar()->value() + inView) / before;
  zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
  verticalScrollBar()->setValue(static_cast<int>(at * m_canvas->height()) - inView);
  event->accept();
}

void SideBySideDiagram::updateBackground() {
  QPalette ground = viewport()->palette();
  const QColor surface = Colours(palette()).surface();
  if (ground.color(QPalette::Window) == surface) return;
  ground.setColor(QPalette::Window, surface);
  viewport()->setPalette(ground);
  viewport()->setAutoFillBackground(true);
}

void SideBySideDiagram::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateBackground();
}

}  // namespace heapscape::gui
