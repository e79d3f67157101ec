// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

namespace heapscape::gui {

/// Why the selected object or type is alive: its roots by name, and the ways from there. A page of the place
/// References, which shows it only once retained sizes are known.
class WhyAliveView : public QWidget {
  Q_OBJECT

 public:
  WhyAliveView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Of stage Retained; again whenever it is seen from other roots.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// The navigator's location changed, also while the page is hidden: what costs time waits until it is shown.
  void follow(const Location& location);

 private:
  EngineBridge& m_bridge;
  Navigator& m_navigator;
};

}  // namespace heapscape::gui
