// SPDX-License-Identifier: MIT
// What reaches the window as a whole: pins, bookmarks, help, keys that nobody took, files that are dropped, the mouse's
// side buttons.
#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTimer>

#include "app/files/dropped_dump.h"
#include "app/go_to/go_to_box.h"
#include "app/help_dialogs.h"
#include "app/inspector/inspector_drawer.h"
#include "app/main_window.h"
#include "app/manual/manual_window.h"
#include "app/page_stack.h"
#include "app/place_bar.h"
#include "app/place_info.h"
#include "app/place_window.h"
#include "app/status_line.h"
#include "app/window_actions.h"
#include "views/review/review_place.h"
#include "views/start/start_place.h"
#include "widgets/drawing/pin_request.h"
#include "widgets/filter_line.h"
#include "widgets/tab_order.h"

namespace heapscape::gui {

namespace {

constexpr int kNarrowLetters = 160;

}  // namespace

bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::Paint && !m_stillToMake.empty()) m_making->start();
  if (event->type() != PinRequest::kind()) return QMainWindow::event(event);
  pin(static_cast<PinRequest&>(*event));
  return true;
}

bool MainWindow::focusNextPrevChild(bool next) {
  return m_focusMark->move(next);
}

void MainWindow::focusFilter() {
  QLineEdit* filter = filterOf(m_stack->page(), focusWidget());
  if (!filter) return m_status->tell(QStringLiteral("There is no list here to filter"));
  filter->setFocus(Qt::ShortcutFocusReason);
  filter->selectAll();
}

void MainWindow::pinFocused() {
  if (QAction* action = pinActionAround(focusWidget())) return action->trigger();
  m_status->tell(QStringLiteral("Nothing to pin: click a picture or table first"));
}

void MainWindow::pin(PinRequest& request) {
  request.accept();
  engine::ReviewPage page = request.page();
  page.source = placeTitle(m_navigator.location().place).toStdString();
  const int number = review()->pin(std::move(page));
  m_status->tell(number > 0 ? QStringLiteral("Pinned to review · page %1").arg(number)
                            : QStringLiteral("Not pinned: the saved review of this dump cannot be read"));
}

void MainWindow::toggleBookmark() {
  m_status->tell(m_bookmarks.toggle());
  updateActions();
}

void MainWindow::openManual(PlaceId place) {
  if (!m_manual) m_manual = new ManualWindow(this);
  m_manual->open(QStringLiteral("places.md#%1").arg(placeName(place)));
}

void MainWindow::openShortcuts() {
  showShortcuts(this, m_actions->sections(), placeTitle(m_navigator.location().place), *m_stack->page());
}

void MainWindow::openPlaceWindow() {
  auto* window = new PlaceWindow(m_navigator.location().place, m_bridge, m_navigator, this);
  connect(window, &PlaceWindow::manualWanted, this, &MainWindow::openManual);
  window->show();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_resting->stop();
  Q_EMIT settingsChanged();
  QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange) m_actions->fullScreen->setChecked(isFullScreen());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  m_placeBar->setCompact(width() < fontMetrics().averageCharWidth() * kNarrowLetters);
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
    m_drawer->notePress();
    if (button == Qt::BackButton) m_navigator.back();
    if (button == Qt::ForwardButton) m_navigator.forward();
    if (button == Qt::BackButton || button == Qt::ForwardButton) return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace heapscape::gui
