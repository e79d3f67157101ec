// SPDX-License-Identifier: MIT
#include "widgets/dimming.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QPainter>
#include <QWidget>

namespace heapscape::gui {
namespace {

// What lies in a viewport would be scrolled with it.
QWidget* groundOf(QWidget& widget) {
  auto* const area = qobject_cast<QAbstractScrollArea*>(widget.parentWidget());
  return area && area->viewport() == &widget ? area : &widget;
}

/// Lies over a widget, lets all clicks through, and follows it. QGraphicsOpacityEffect looks the same, but to draw one
/// Qt first sends every widget of the window, shown or not, the sizes that it has not yet been told.
class Veil : public QWidget {
 public:
  explicit Veil(QWidget& widget) : QWidget(groundOf(widget)), m_widget(widget) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    widget.installEventFilter(this);
    cover();
    raise();
    show();
  }

  bool isOver(const QWidget* widget) const { return &m_widget == widget; }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) cover();
    if (event->type() == QEvent::ChildAdded) raise();
    return QWidget::eventFilter(watched, event);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    constexpr float kOpacity = 0.5F;
    QColor ground = m_widget.palette().color(m_widget.backgroundRole());
    ground.setAlphaF(kOpacity);
    QPainter(this).fillRect(rect(), ground);
  }

 private:
  void cover() { setGeometry(parentWidget() == &m_widget ? m_widget.rect() : m_widget.geometry()); }

  QWidget& m_widget;
};

Veil* veilOver(QWidget* widget) {
  for (QObject* child : groundOf(*widget)->children()) {
    auto* const veil = dynamic_cast<Veil*>(child);
    if (veil && veil->isOver(widget)) return veil;
  }
  return nullptr;
}

}  // namespace

void setDimmed(QWidget* widget, bool isDimmed) {
  Veil* const veil = veilOver(widget);
  if (isDimmed == (veil != nullptr)) return;
  if (isDimmed) {
    new Veil(*widget);
  } else {
    delete veil;
  }
}

bool isDimmed(QWidget* widget) {
  return veilOver(widget) != nullptr;
}

}  // namespace heapscape::gui
