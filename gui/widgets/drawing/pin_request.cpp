// SPDX-License-Identifier: MIT
#include "widgets/drawing/pin_request.h"

#include <QAction>
#include <QCoreApplication>
#include <QWidget>

#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {
namespace {

constexpr auto kActionName = "pinToReview";

}  // namespace

QEvent::Type PinRequest::kind() {
  static const int type = QEvent::registerEventType();
  return static_cast<QEvent::Type>(type);
}

void requestPin(QWidget* from, engine::ReviewPage page) {
  PinRequest request(std::move(page));
  for (QWidget* window = from->window(); window;) {
    request.ignore();
    QCoreApplication::sendEvent(window, &request);
    if (request.isAccepted()) return;
    window = window->parentWidget() ? window->parentWidget()->window() : nullptr;
  }
}

QAction* addPinAction(QWidget* pinned, std::function<engine::ReviewPage()> makePage) {
  auto* action = new QAction(symbolIcon(u"pin"_s), u"Pin to review"_s, pinned);
  action->setObjectName(QLatin1String(kActionName));
  QObject::connect(action, &QAction::triggered, pinned,
                   [pinned, makePage = std::move(makePage)] { requestPin(pinned, makePage()); });
  pinned->addAction(action);
  return action;
}

QAction* pinActionOf(const QWidget& widget) {
  for (QAction* action : widget.actions()) {
    if (action->objectName() == QLatin1String(kActionName)) return action;
  }
  return nullptr;
}

QAction* pinActionAround(QWidget* widget) {
  for (; widget; widget = widget->parentWidget()) {
    if (QAction* action = pinActionOf(*widget)) return action;
    if (widget->isWindow()) break;
  }
  return nullptr;
}

}  // namespace heapscape::gui
