// SPDX-License-Identifier: MIT
#include "widgets/accessible/picture_items.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QScrollArea>
#include <QWidget>

#include "widgets/accessible/picture_accessible.h"

namespace heapscape::gui {

namespace {

/// What each picture does about its current item: it is said when the picture gets the focus, and the menu that a key
/// asks for opens at it.
class PictureWatcher : public QObject {
 public:
  explicit PictureWatcher(QWidget& picture) : QObject(&picture), m_picture(picture) {
    picture.installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const PictureItems* items = watched == &m_picture ? pictureItemsOf(&m_picture) : nullptr;
    if (!items) return false;
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
      surfaceOf(m_picture).update();
      if (event->type() == QEvent::FocusIn) sayItem(m_picture, items->currentItem());
    }
    return event->type() == QEvent::ContextMenu && opensMenuAtItem(*items, *static_cast<QContextMenuEvent*>(event));
  }

 private:
  bool opensMenuAtItem(const PictureItems& items, const QContextMenuEvent& event) {
    const auto current = items.currentItem();
    if (event.reason() != QContextMenuEvent::Keyboard || !current) return false;
    const QRectF inSight = items.itemRect(*current) & QRectF(surfaceOf(m_picture).rect());
    const QPoint middle = inSight.center().toPoint();
    if (inSight.isEmpty() || event.pos() == middle) return false;
    QContextMenuEvent there(QContextMenuEvent::Keyboard, middle, surfaceOf(m_picture).mapToGlobal(middle));
    QCoreApplication::sendEvent(&m_picture, &there);
    return true;
  }

  QWidget& m_picture;
};

}  // namespace

PictureItems::PictureItems(QWidget* picture) : m_picture(*picture) {
  installPictureAccessible();
  new PictureWatcher(*picture);
}

void PictureItems::tellCurrent() {
  surfaceOf(m_picture).update();
  if (m_picture.hasFocus()) sayItem(m_picture, currentItem());
}

void PictureItems::tellItemsChanged() {
  QAccessibleEvent event(&m_picture, QAccessible::ObjectReorder);
  QAccessible::updateAccessibility(&event);
}

void PictureItems::revealCurrent() {
  const auto item = currentItem();
  if (!item) return;
  const QRect rect = itemRect(*item).toAlignedRect();
  for (QWidget* around = m_picture.parentWidget(); around && !rect.isEmpty(); around = around->parentWidget()) {
    auto* area = qobject_cast<QScrollArea*>(around);
    if (!area || (area->widget() != &m_picture && !area->widget()->isAncestorOf(&m_picture))) continue;
    // Of what is larger than the area its beginning.
    const QPoint at = m_picture.mapTo(area->widget(), rect.topLeft());
    const QSize seen = rect.size().boundedTo(area->viewport()->size());
    area->ensureVisible(at.x() + seen.width() / 2, at.y() + seen.height() / 2, seen.width() / 2, seen.height() / 2);
  }
}

std::optional<std::size_t> PictureItems::itemTowards(int key) const {
  const std::size_t count = itemCount();
  const bool isForward = key == Qt::Key_Right || key == Qt::Key_Down || key == Qt::Key_Home;
  const bool isStep = key != Qt::Key_Home && key != Qt::Key_End;
  const std::optional<std::size_t> current = isStep ? currentItem() : std::nullopt;
  // Indices wrap below 0, which is beyond the last one as well.
  std::size_t item = current ? *current + (isForward ? 1 : SIZE_MAX) : isForward ? 0 : count - 1;
  while (item < count && itemRect(item).isEmpty()) item += isForward ? 1 : SIZE_MAX;
  return item < count ? std::optional(item) : std::nullopt;
}

bool PictureItems::takesKey(int key) {
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
      if (const auto item = itemTowards(key)) goToItem(*item);
      revealCurrent();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto item = currentItem()) pressItem(*item);
      return true;
    default:
      return false;
  }
}

PictureItems* pictureItemsOf(QObject* object) {
  return dynamic_cast<PictureItems*>(object);
}

}  // namespace heapscape::gui
