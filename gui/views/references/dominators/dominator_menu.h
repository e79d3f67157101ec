// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/dominators/dominators_query.h"

class QMenu;

namespace heapscape::gui {

/// The selection that picking a node means for the rest of the window: its object, or else its type. Empty for groups.
Selection selectionOf(const engine::DominatorNode& node, const engine::Snapshot& snapshot);

/// Shows the object on its page, or else the type on its own.
void openDominator(Navigator& navigator, const Selection& selection);

/// An entry for each place that shows what a node stands for, and for copying its name and address.
void addDominatorLinks(QMenu& menu, Navigator& navigator, const engine::DominatorNode& node,
                       const Selection& selection);

/// The entries that a menu on a node of the dominator tree has beside links: to think away what the node stands for,
/// and to list it where that is several objects.
class DominatorCuts : public QObject {
  Q_OBJECT

 public:
  DominatorCuts(EngineBridge& bridge, Navigator& navigator, QObject* parent);

  /// Adds the entries; needs an open dump.
  void addTo(QMenu& menu, const engine::DominatorNode& node, engine::DominatorGrouping grouping);

 private:
  /// Takes the objects that a node stands for as a set, and hands its name on.
  void takeObjects(const engine::DominatorNode& node, engine::DominatorGrouping grouping,
                   const std::function<void(const QString& set)>& use);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
};

}  // namespace heapscape::gui
