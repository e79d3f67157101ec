// SPDX-License-Identifier: MIT
#pragma once

#include <QMainWindow>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/place.h"
#include "widgets/tab_order.h"

namespace heapscape::gui {

/// A place in a window of its own, beside the main window that has the dump: both show the same snapshot, what is
/// picked in one is picked in the other, and what leads out of the place leads there in the main window.
class PlaceWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `place` is one of the dump's (see isDumpPlace()). `bridge` and `main` outlive this; `window` owns it.
  PlaceWindow(PlaceId place, EngineBridge& bridge, Navigator& main, QWidget* window);

  Place& place() const { return *m_place; }
  Navigator& navigator() { return m_navigator; }

 Q_SIGNALS:
  void manualWanted(heapscape::gui::PlaceId place);

 protected:
  bool focusNextPrevChild(bool next) override { return m_focusMark->move(next); }

 private:
  void addKeys();
  void connectDump();
  void follow(const Location& location);
  void leadOut(const Location& location);
  void showTitle();

  EngineBridge& m_bridge;
  Navigator& m_main;
  Navigator m_navigator;
  Place* m_place;
  FocusMark* m_focusMark;
  Location m_here;             // the last one that was in the place
  bool m_isFollowing = false;  // the selection is on its way between the windows
};

}  // namespace heapscape::gui
