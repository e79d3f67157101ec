// SPDX-License-Identifier: MIT
#pragma once

#include <QEvent>
#include <functional>

#include "review/board.h"

class QAction;
class QWidget;

namespace heapscape::gui {

/// Asks the window to put a page on the review board, so that pictures and tables need not know where it is.
class PinRequest : public QEvent {
 public:
  explicit PinRequest(engine::ReviewPage page) : QEvent(kind()), m_page(std::move(page)) {}
  static QEvent::Type kind();

  const engine::ReviewPage& page() const { return m_page; }

 private:
  engine::ReviewPage m_page;
};

/// Sends the page to the window that the widget is in, or to the one above it.
void requestPin(QWidget* from, engine::ReviewPage page);

/// Gives a picture or table the action "Pin to review" with the page that `makePage` makes of it at that moment.
QAction* addPinAction(QWidget* pinned, std::function<engine::ReviewPage()> makePage);
/// Pin action of the widget itself; null if it has none.
QAction* pinActionOf(const QWidget& widget);
/// Pin action of the widget or of the nearest one around it that has one; null if none does.
QAction* pinActionAround(QWidget* widget);

}  // namespace heapscape::gui
