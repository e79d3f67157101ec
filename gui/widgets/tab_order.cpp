// SPDX-License-Identifier: MIT
#include "widgets/tab_order.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <algorithm>

namespace heapscape::gui {

namespace {

bool takesTab(const QWidget& widget) {
  // A widget with a proxy stands for one that is met by itself.
  return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && !widget.focusProxy();
}

// Those that stand side by side in the height of the first make a row.
void sortAsRead(std::vector<QWidget*>& parts) {
  std::ranges::stable_sort(parts, {}, [](const QWidget* part) { return part->y(); });
  for (auto row = parts.begin(); row != parts.end();) {
    const int bottom = (*row)->geometry().bottom();
    const auto end =
        std::find_if(row, parts.end(), [&](const QWidget* part) { return part->geometry().center().y() > bottom; });
    const auto next = std::max(end, row + 1);
    std::ranges::stable_sort(row, next, {}, [](const QWidget* part) { return part->x(); });
    row = next;
  }
}

void addParts(const QWidget& whole, std::vector<QWidget*>& order) {
  std::vector<QWidget*> parts;
  for (QWidget* part : whole.findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
    if (part->isVisible() && !part->isWindow()) parts.push_back(part);
  }
  sortAsRead(parts);
  for (QWidget* part : parts) {
    if (takesTab(*part)) order.push_back(part);
    addParts(*part, order);
  }
}

}  // namespace

std::vector<QWidget*> tabOrder(const QWidget& window) {
  std::vector<QWidget*> order;
  addParts(window, order);
  return order;
}

PartMark::PartMark(QWidget* window, Extent extent) : QWidget(window), m_extent(extent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void PartMark::mark(QWidget* part) {
  if (part == m_marked) {
    if (part) follow();
    return;
  }
  if (m_marked) m_marked->removeEventFilter(this);
  disconnect(m_end);
  m_marked = part;
  setVisible(part != nullptr);
  if (!part) return;
  part->installEventFilter(this);
  m_end = connect(part, &QObject::destroyed, this, &QWidget::hide);
  follow();
}

void PartMark::follow() {
  QRect part = m_marked->rect();
  const QWidget* around = m_extent == Extent::Seen ? m_marked->parentWidget() : nullptr;
  for (; around && around != window(); around = around->parentWidget())
    part &= QRect(m_marked->mapFrom(around, QPoint(0, 0)), around->size());
  const QRect edge = QRect(m_marked->mapTo(window(), part.topLeft()), part.size()).adjusted(-1, -1, 1, 1);
  if (geometry() == edge) return;
  setGeometry(edge);
  raise();
}

bool PartMark::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_marked.data()) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) follow();
    if (event->type() == QEvent::Hide) mark(nullptr);
  }
  return QWidget::eventFilter(watched, event);
}

void PartMark::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

FocusMark::FocusMark(QWidget* window) : PartMark(window, Extent::Whole) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* to) {
    if (!to || to != marked()) mark(nullptr);
  });
}

bool FocusMark::move(bool forward) {
  std::vector<QWidget*> order = tabOrder(*window());
  if (order.empty()) return false;
  if (!forward) std::ranges::reverse(order);
  const auto here = std::ranges::find(order, window()->focusWidget());
  QWidget* next = here == order.end() || here + 1 == order.end() ? order.front() : *(here + 1);
  next->setFocus(forward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  for (QWidget* around = next->parentWidget(); around; around = around->parentWidget()) {
    if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(next);
  }
  mark(next);
  return true;
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event) {
  if (watched == marked() && event->type() == QEvent::MouseButtonPress) mark(nullptr);
  return PartMark::eventFilter(watched, event);
}

}  // namespace heapscape::gui
