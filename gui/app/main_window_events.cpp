// SPDX-License-Identifier: MIT
// What reaches the window as a whole: pins, keys that nobody took, files that are dropped, the mouse's side buttons.
#include <QFileInfo>
#include <QMouseEvent>

#include "app/files/dropped_dump.h"
#include "app/main_window.h"
#include "views/start/start_place.h"
#include "widgets/drawing/pin_request.h"
#include "widgets/filter_line.h"

namespace heapscape::gui {

bool MainWindow::event(QEvent* event) {
  if (event->type() != PinRequest::kind()) return QMainWindow::event(event);
  pin(static_cast<PinRequest&>(*event));
  return true;
}

// What the lines of lists leave to what is around them.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!leaveFilter(focusWidget(), *event)) QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedDump(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  m_start->setDropHovered(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  m_start->setDropHovered(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  m_start->setDropHovered(false);
  const QString path = droppedDump(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  // A folder is no dump, but may have what the open one lacks.
  QFileInfo(path).isDir() && m_bridge.snapshot() ? lookElsewhere(path) : open(path);
}

// The side buttons of a mouse go back and forward wherever they are pressed, as in a browser.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType() &&
      static_cast<QWidget*>(watched)->window() == this) {
    const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
    if (button == Qt::BackButton) m_navigator.back();
    if (button == Qt::ForwardButton) m_navigator.forward();
    if (button == Qt::BackButton || button == Qt::ForwardButton) return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace heapscape::gui
