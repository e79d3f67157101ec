// SPDX-License-Identifier: MIT
#include "widgets/accessible/picture_items.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QPointer>
#include <QScrollArea>
#include <QWidget>
#include <map>

#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

/// Surface that a picture is painted on: its viewport, if it scrolls.
QWidget& surfaceOf(QWidget& picture) {
  auto* area = qobject_cast<QAbstractScrollArea*>(&picture);
  return area ? *area->viewport() : picture;
}

/// A picture as a screen reader meets it: a list of its items. Widgets inside of it are no children of it: what they
/// show is in the items.
class PictureAccessible : public QAccessibleWidget {
 public:
  explicit PictureAccessible(QWidget* picture);
  ~PictureAccessible() override;

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;

 private:
  mutable std::map<int, QAccessible::Id> m_children;  // those that were asked for
};

/// An item of a picture. It stands for whatever the picture has at its place now, and is valid as long as there is
/// something.
class PictureItemAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PictureItemAccessible(QWidget* picture, int index) : m_picture(picture), m_index(index) {}

  int index() const { return m_index; }

  bool isValid() const override { return items() != nullptr; }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_picture); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QWindow* window() const override { return m_picture ? m_picture->window()->windowHandle() : nullptr; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void setText(QAccessible::Text, const QString&) override {}

  QString text(QAccessible::Text kind) const override {
    const PictureItems* items = this->items();
    if (!items) return {};
    const BubbleText text = items->itemText(item());
    if (kind == QAccessible::Name) return text.title;
    const bool isFigures = kind == QAccessible::Description || kind == QAccessible::Value;
    return isFigures ? text.facts.join(u", "_s) : QString();
  }

  QRect rect() const override {
    const PictureItems* items = this->items();
    if (!items) return {};
    const QRect rect = items->itemRect(item()).toAlignedRect();
    return rect.isEmpty() ? QRect() : QRect(surfaceOf(*m_picture).mapToGlobal(rect.topLeft()), rect.size());
  }

  QAccessible::State state() const override {
    QAccessible::State state;
    const PictureItems* items = this->items();
    if (!items) {
      state.invalid = true;
      return state;
    }
    const QRectF rect = items->itemRect(item());
    const bool isCurrent = items->currentItem() == item();
    const std::optional<bool> isOpen = items->isItemOpen(item());
    state.selectable = true;
    state.selected = isCurrent;
    state.focusable = m_picture->focusPolicy() != Qt::NoFocus;
    state.focused = isCurrent && m_picture->hasFocus();
    state.expandable = isOpen.has_value();
    state.expanded = isOpen == true;
    state.collapsed = isOpen == false;
    state.invisible = rect.isEmpty() || !m_picture->isVisible();
    state.offscreen = !surfaceOf(*m_picture).visibleRegion().intersects(rect.toAlignedRect());
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }

  QStringList actionNames() const override {
    QStringList names{pressAction(), setFocusAction()};
    if (m_picture && m_picture->contextMenuPolicy() != Qt::NoContextMenu) names << showMenuAction();
    return names;
  }

  void doAction(const QString& name) override {
    PictureItems* items = this->items();
    if (!items) return;
    if (name == pressAction()) {
      items->pressItem(item());
      return;
    }
    if (name != setFocusAction() && name != showMenuAction()) return;
    m_picture->setFocus(Qt::OtherFocusReason);
    items->goToItem(item());
    if (name != showMenuAction()) return;
    const QPoint middle = m_picture->rect().center();
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, middle, m_picture->mapToGlobal(middle));
    QCoreApplication::sendEvent(m_picture, &menu);
  }

  QStringList keyBindingsForAction(const QString& name) const override {
    return name == pressAction() ? QStringList(u"Return"_s) : QStringList();
  }

 private:
  std::size_t item() const { return static_cast<std::size_t>(m_index); }
  /// Null where there is no such item any more.
  PictureItems* items() const {
    PictureItems* items = pictureItemsOf(m_picture);
    return items && item() < items->itemCount() ? items : nullptr;
  }

  QPointer<QWidget> m_picture;
  int m_index;
};

QAccessibleInterface* makePictureAccessible(const QString&, QObject* object) {
  auto* picture = qobject_cast<QWidget*>(object);
  return picture && pictureItemsOf(picture) ? new PictureAccessible(picture) : nullptr;
}

PictureAccessible::PictureAccessible(QWidget* picture) : QAccessibleWidget(picture, QAccessible::List) {}

PictureAccessible::~PictureAccessible() {
  for (const auto& [index, id] : m_children) QAccessible::deleteAccessibleInterface(id);
}

int PictureAccessible::childCount() const {
  const PictureItems* items = pictureItemsOf(widget());
  return items ? static_cast<int>(items->itemCount()) : 0;
}

QAccessibleInterface* PictureAccessible::child(int index) const {
  if (index < 0 || index >= childCount()) return nullptr;
  const auto [place, isNew] = m_children.try_emplace(index, 0);
  if (isNew) place->second = QAccessible::registerAccessibleInterface(new PictureItemAccessible(widget(), index));
  return QAccessible::accessibleInterface(place->second);
}

int PictureAccessible::indexOfChild(const QAccessibleInterface* child) const {
  const auto* item = dynamic_cast<const PictureItemAccessible*>(child);
  return item && item->parent() == this ? item->index() : -1;
}

QAccessibleInterface* PictureAccessible::childAt(int x, int y) const {
  const PictureItems* items = pictureItemsOf(widget());
  if (!items) return nullptr;
  const QPointF point = surfaceOf(*widget()).mapFromGlobal(QPointF(x, y));
  // The innermost of items in each other.
  std::optional<std::size_t> found;
  double smallest = 0;
  for (std::size_t item = 0; item < items->itemCount(); ++item) {
    const QRectF rect = items->itemRect(item);
    const double area = rect.width() * rect.height();
    // The right and the lower edge belong to what lies beyond them.
    const bool isIn = rect.contains(point) && point.x() < rect.right() && point.y() < rect.bottom();
    if (!isIn || (found && area > smallest)) continue;
    found = item;
    smallest = area;
  }
  return found ? child(static_cast<int>(*found)) : nullptr;
}

QAccessibleInterface* PictureAccessible::focusChild() const {
  const PictureItems* items = widget()->hasFocus() ? pictureItemsOf(widget()) : nullptr;
  const auto current = items ? items->currentItem() : std::nullopt;
  return current ? child(static_cast<int>(*current)) : QAccessibleWidget::focusChild();
}

/// Once is enough, and has no effect later.
void installPictureAccessible() {
  [[maybe_unused]] static const bool isInstalled = [] {
    QAccessible::installFactory(makePictureAccessible);
    return true;
  }();
}

/// Has a screen reader say that an item of the picture has the focus.
void sayItem(QWidget& picture, std::optional<std::size_t> item) {
  if (!item) return;
  QAccessibleEvent event(&picture, QAccessible::Focus);
  event.setChild(static_cast<int>(*item));
  QAccessible::updateAccessibility(&event);
}

/// Watches each picture's current item: said on focus, and where the menu of a key opens.
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
    // The beginning of what is larger than the area.
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
