// SPDX-License-Identifier: MIT
#include "app/place_window.h"

#include <QAction>
#include <QFileInfo>
#include <QScopedValueRollback>

#include "app/page_stack.h"
#include "app/place_info.h"
#include "models/lacking_heap.h"

namespace heapscape::gui {

PlaceWindow::PlaceWindow(PlaceId place, EngineBridge& bridge, Navigator& main, QWidget* window)
    : QMainWindow(window),
      m_bridge(bridge),
      m_main(main),
      m_place(makeDumpPlace(place, bridge, m_navigator, this)),
      m_focusMark(new FocusMark(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowIcon(window->windowIcon());
  auto* page = new PageStack(this);
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  page->addPage(m_place);
  setCentralWidget(page);
  resize(window->size() * 3 / 4);
  showTitle();

  m_navigator.reset(place);
  connect(&m_navigator, &Navigator::locationChanged, this, &PlaceWindow::follow);
  connect(&m_main, &Navigator::selectionChanged, this, [this](const Selection& selection) {
    if (m_isFollowing) return;
    const QScopedValueRollback following(m_isFollowing, true);
    m_navigator.select(selection);
  });
  addKeys();
  connectDump();
  // Some show what each stage brings.
  for (const engine::Snapshot& stage : m_bridge.stages()) m_place->showSnapshot(stage);
  Location here = m_main.location();
  here.place = place;
  m_navigator.go(here);
}

// Adds the keys that the main window's menus have for the place.
void PlaceWindow::addKeys() {
  const auto add = [this](const QString& text, const QKeySequence& keys, const auto& run) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
  };
  add(u"Manual"_s, QKeySequence(Qt::Key_F1), [this] { Q_EMIT manualWanted(m_place->id()); });
  add(u"Back"_s, QKeySequence(Qt::ALT | Qt::Key_Left), [this] { m_navigator.back(); });
  add(u"Forward"_s, QKeySequence(Qt::ALT | Qt::Key_Right), [this] { m_navigator.forward(); });
  add(u"Full screen"_s, QKeySequence(Qt::Key_F11), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  add(u"Close window"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W), [this] { close(); });
}

void PlaceWindow::connectDump() {
  connect(&m_bridge, &EngineBridge::openStarted, this, [this] {
    const QScopedValueRollback following(m_isFollowing, true);
    m_place->clear();
    m_navigator.reset(m_place->id());
    showTitle();
  });
  connect(&m_bridge, &EngineBridge::stageReady, this, [this](const engine::Snapshot& snapshot) {
    const bool isLacking = (lacksHeap(snapshot) && needsHeap(m_place->id())) ||
                           (snapshot.isRecorded() && !isToldByGraph(m_place->id())) ||
                           lackOfTypes(m_place->id(), snapshot);
    if (isLacking) {
      close();
    } else {
      m_place->showSnapshot(snapshot);
    }
  });
  // There is nothing left to show, and nothing of it may be kept.
  for (const auto signal : {&EngineBridge::openCancelled, &EngineBridge::closed})
    connect(&m_bridge, signal, this, &QWidget::close);
  connect(&m_bridge, &EngineBridge::openFailed, this, &QWidget::close);
  connect(&m_bridge, &EngineBridge::assemblyOpened, this, &QWidget::close);
}

void PlaceWindow::follow(const Location& location) {
  if (location.place != m_place->id()) {
    leadOut(location);
    return;
  }
  m_here = location;
  m_here.listed = {};
  m_place->follow(location);
  if (m_isFollowing || location.selection == m_main.location().selection) return;
  const QScopedValueRollback following(m_isFollowing, true);
  m_main.select(location.selection);
}

void PlaceWindow::leadOut(const Location& location) {
  const QScopedValueRollback following(m_isFollowing, true);
  m_main.go(location);
  parentWidget()->raise();
  parentWidget()->activateWindow();
  m_here.selection = location.selection;
  m_navigator.go(m_here);
}

void PlaceWindow::showTitle() {
  setWindowTitle(u"%1 · %2"_s.arg(m_place->title(), QFileInfo(m_bridge.path()).fileName()));
}

}  // namespace heapscape::gui
