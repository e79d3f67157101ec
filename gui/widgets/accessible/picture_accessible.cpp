// SPDX-License-Identifier: MIT
#include "widgets/accessible/picture_accessible.h"

#include <QAbstractScrollArea>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QPointer>
#include <QWidget>

#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

namespace {

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
    return isFigures ? text.facts.join(QStringLiteral(", ")) : QString();
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
    if (name == pressAction()) return items->pressItem(item());
    if (name != setFocusAction() && name != showMenuAction()) return;
    m_picture->setFocus(Qt::OtherFocusReason);
    items->goToItem(item());
    if (name != showMenuAction()) return;
    const QPoint middle = m_picture->rect().center();
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, middle, m_picture->mapToGlobal(middle));
    QCoreApplication::sendEvent(m_picture, &menu);
  }

  QStringList keyBindingsForAction(const QString& name) const override {
    return name == pressAction() ? QStringList(QStringLiteral("Return")) : QStringList();
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

}  // namespace

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
  // Of items in each other it is the innermost.
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

void installPictureAccessible() {
  [[maybe_unused]] static const bool isInstalled = [] {
    QAccessible::installFactory(makePictureAccessible);
    return true;
  }();
}

QWidget& surfaceOf(QWidget& picture) {
  auto* area = qobject_cast<QAbstractScrollArea*>(&picture);
  return area ? *area->viewport() : picture;
}

void sayItem(QWidget& picture, std::optional<std::size_t> item) {
  if (!item) return;
  QAccessibleEvent event(&picture, QAccessible::Focus);
  event.setChild(static_cast<int>(*item));
  QAccessible::updateAccessibility(&event);
}

}  // namespace heapscape::gui
