// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

namespace heapscape::gui {

/// The reference graph around the selected object, which grows by click. A page of the place References, which shows it
/// only once retained sizes are known.
class ReferenceGraphView : public QWidget {
  Q_OBJECT

 public:
  ReferenceGraphView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

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
