// SPDX-License-Identifier: MIT
#include "widgets/context_menu.h"

#include <QAbstractScrollArea>
#include <QWidget>

namespace heapscape::gui {

void offerActions(QWidget* widget) {
  widget->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(widget, &QWidget::customContextMenuRequested, widget, [widget](const QPoint& position) {
    if (widget->actions().isEmpty()) return;
    auto* menu = new QMenu(widget->window());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(widget->actions());
    QObject::connect(widget, &QObject::destroyed, menu, &QWidget::close);
    const auto* area = qobject_cast<QAbstractScrollArea*>(widget);
    menu->popup((area ? area->viewport() : widget)->mapToGlobal(position));
  });
}

}  // namespace heapscape::gui
