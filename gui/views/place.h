// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// One of the window's places. Asks the engine through the bridge, tells the navigator what the user picked, follows
/// it.
class Place : public QWidget {
  Q_OBJECT

 public:
  Place(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr)
      : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {}

  virtual PlaceId id() const = 0;
  virtual QString title() const = 0;
  /// A stage is done; called for each, also while the place is hidden. Show what there is and say what is still to
  /// come.
  virtual void showSnapshot(const engine::Snapshot& snapshot) = 0;
  /// An assembly is open in place of a dump; called for the places that can show one.
  virtual void showAssembly(const engine::DeclaredLayouts&) {}
  /// Nothing is open, or another one is being opened: drop everything that came from the last one.
  virtual void clear() = 0;
  /// The navigator's location changed; `location.place` may be another place.
  virtual void follow(const Location& location) = 0;

 protected:
  EngineBridge& m_bridge;
  Navigator& m_navigator;
};

}  // namespace heapscape::gui
