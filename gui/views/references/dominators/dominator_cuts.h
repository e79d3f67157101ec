// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <functional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/dominators/dominators_query.h"

class QMenu;

namespace heapscape::gui {

/// What a menu on a node of the dominator tree offers beside links: to think away what the node stands for, and to list
/// it where that is several objects.
class DominatorCuts : public QObject {
  Q_OBJECT

 public:
  DominatorCuts(EngineBridge& bridge, Navigator& navigator, QObject* parent);

  /// With a dump open.
  void addTo(QMenu& menu, const engine::DominatorNode& node, engine::DominatorGrouping grouping);

 private:
  /// Takes the objects that a node stands for as a set, and hands its name on.
  void takeObjects(const engine::DominatorNode& node, engine::DominatorGrouping grouping,
                   const std::function<void(const QString& set)>& use);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
};

}  // namespace heapscape::gui
